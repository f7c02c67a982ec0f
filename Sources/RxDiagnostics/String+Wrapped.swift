extension String {
    /// The text in lines of at most this many characters, broken at spaces where possible; further lines are indented.
    ///
    /// - Complexity: O(*n*), since an error message may quote a text of any length.
    package func wrapped(toColumns width: Int) -> [String] {
        let indent = String(repeating: " ", count: prefix { $0 == " " }.count + 2)
        guard width > 2 * indent.count else { return [self] }
        var (lines, margin, rest) = ([String](), "", self[...])
        while let limit = rest.index(rest.startIndex, offsetBy: width - margin.count, limitedBy: rest.endIndex),
            limit < rest.endIndex
        {
            let start = rest.firstIndex { $0 != " " } ?? rest.startIndex
            // A space after the last column ends the line, too.
            let end = rest[start...limit].lastIndex(of: " ") ?? limit
            lines.append(margin + rest[..<end])
            rest = rest[end...].drop { $0 == " " }
            margin = indent
        }
        return rest.isEmpty && !lines.isEmpty ? lines : lines + [margin + rest]
    }

    /// The text in at most this many characters, with an ellipsis in place of the rest.
    package func cut(toColumns width: Int) -> String {
        count <= width ? self : "\(prefix(Swift.max(0, width - 1)))…"
    }

    /// The first lines of the text, at most this many, with the number of the others in the last one.
    package func cut(toLines maximum: Int) -> String {
        let lines = split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > maximum, maximum > 0 else { return self }
        let shown = lines.prefix(maximum - 1) + ["… and \(lines.count - maximum + 1) more lines"]
        return shown.joined(separator: "\n")
    }

    /// The text in at most this many characters, with an ellipsis in place of its middle.
    package func cutInside(toColumns width: Int) -> String {
        guard count > width, width > 2 else { return cut(toColumns: width) }
        return "\(prefix(width - 1 - (width - 1) / 2))…\(suffix((width - 1) / 2))"
    }
}
