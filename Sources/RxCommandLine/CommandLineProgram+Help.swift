extension CommandLineProgram {
    /// Returns the text of `--help` for a subcommand, or for the program with all its subcommands.
    func help(of subcommand: Subcommand? = nil) -> String {
        let shown = subcommand.map { [$0] } ?? subcommands
        var sections = [usage(of: shown)]
        if let subcommand { sections.append(["\(subcommand.help.capitalizedFirst)."]) }
        if shown.count > 1 {
            sections.append(["commands:"] + Self.table(shown.map { ($0.name, $0.help) }))
        }
        let operands = shown.count == 1 ? shown[0].operands : []
        if !operands.isEmpty {
            sections.append(
                ["operands:"] + Self.table(operands.map { ($0.name, $0.help.with(default: $0.defaultValue)) }))
        }
        let options = shown.flatMap(\.options).withoutRepetitions + CommandLineOption.standard
        sections.append(["options:"] + Self.table(options.map { ($0.label, $0.help.with(default: $0.defaultValue)) }))
        let examples = shown.map(\.example).filter { !$0.isEmpty }
        if shown.count == 1, !examples.isEmpty { sections.append(["example:"] + examples.map { "  \($0)" }) }
        sections.append(notes.wrapped(to: Self.width))
        return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private static let width = 80

    private func usage(of subcommands: [Subcommand]) -> [String] {
        subcommands.enumerated().flatMap { index, subcommand in
            let command = [name, subcommand.name].filter { !$0.isEmpty }.joined(separator: " ")
            let words = subcommand.alternatives.map { "[\($0)]" } + subcommand.operands.map(\.synopsis)
            let head = "\(index == 0 ? "usage:" : "      ") \(command)"
            return words.wrapped(after: head, to: Self.width)
        }
    }

    /// Lays rows out in two columns.
    private static func table(_ rows: [(label: String, text: String)]) -> [String] {
        let column = (rows.map(\.label.count).max() ?? 0) + 4
        return rows.flatMap { label, text in
            text.split(separator: " ").map(String.init)
                .wrapped(after: "  \(label)".padded(to: column - 1), to: width)
        }
    }
}

extension Subcommand {
    /// The options in a usage line; those that exclude each other are one.
    fileprivate var alternatives: [String] {
        options.compactMap { option in
            guard let group = exclusive.first(where: { $0.contains(option) }) else { return option.synopsis }
            return group.first == option ? group.map(\.synopsis).joined(separator: " | ") : nil
        }
    }
}

extension CommandLineOption {
    fileprivate var label: String { [synopsis, short].compactMap(\.self).joined(separator: ", ") }
}

extension [String] {
    /// Wraps the words into lines: the first begins with `head`, the others are indented by its length.
    fileprivate func wrapped(after head: String, to width: Int) -> [String] {
        var lines = [head]
        for word in self {
            let line = lines[lines.count - 1]
            if line.count + 1 + word.count <= width || line == head {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(repeating: " ", count: head.count) + " \(word)")
            }
        }
        return lines
    }
}

extension String {
    fileprivate func wrapped(to width: Int) -> [String] {
        split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            line.split(separator: " ").map(String.init).wrapped(after: "", to: width + 1).map { String($0.dropFirst()) }
        }
    }

    fileprivate func with(default value: String?) -> String {
        value.map { "\(self); default: \($0)" } ?? self
    }

    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
