/// The text of a configuration file, kept so that a diagnostic can show its line.
package struct SourceText: Sendable {
    /// The path of the file.
    package let file: String
    private let lines: [Substring]

    /// Creates the text of a file.
    package init(file: String, text: String) {
        self.file = file
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isYAMLLineBreak)
    }

    /// Returns the line of a location and a second line with a caret under its column; `nil` if the text has no such
    /// line.
    ///
    /// A long line is cut around the caret, and characters that could control a terminal are replaced. Of an address
    /// only the server is shown: the rest of a webhook's address is often as good as a password.
    func excerpt(at location: SourceLocation) -> String? {
        guard location.file == file, lines.indices.contains(location.line - 1) else { return nil }
        let scalars = Array(lines[location.line - 1].unicodeScalars)
        if scalars.allSatisfy(\.properties.isWhitespace) { return nil }
        let caret = min(max(location.column - 1, 0), scalars.count)
        let start = caret > 100 ? caret - 60 : 0
        let end = min(scalars.count, start + 160)
        let shown = Self.hidingPaths(in: scalars, start..<end).map { Character($0.shownOnTerminal) }
        let padding = shown.prefix(caret - start).map { $0 == "\t" ? "\t" : " " as Character }
        let ellipses = (start > 0 ? "…" : "", end < scalars.count ? "…" : "")
        let indent = ellipses.0.isEmpty ? "" : " "
        return "\(ellipses.0)\(String(shown))\(ellipses.1)\n\(indent)\(String(padding))^"
    }

    /// Returns a part of a line without the paths of addresses.
    private static func hidingPaths(in line: [Unicode.Scalar], _ part: Range<Int>) -> ArraySlice<Unicode.Scalar> {
        // A line may have a million characters, so an address that begins before `nearby` is hidden altogether.
        let start = max(0, part.lowerBound - nearby)
        let near = Array(line[start..<min(line.count, part.upperBound + nearby)])
        var shown = near.withHiddenPaths
        if start > 0 {
            for index in near.indices.prefix(while: { !near[$0].endsAddress }) { shown[index] = "*" }
        }
        return shown[(part.lowerBound - start)..<(part.upperBound - start)]
    }

    /// The number of characters around the shown part that are searched for the beginning of an address.
    private static let nearby = 1_000
}

extension Unicode.Scalar {
    fileprivate var endsAddress: Bool { properties.isWhitespace || self == "\"" || self == "'" }
}

extension [Unicode.Scalar] {
    /// The scalars with asterisks in place of the users and paths of addresses.
    fileprivate var withHiddenPaths: [Unicode.Scalar] {
        var shown = self
        var index = 0
        while let start = end(of: "://", from: index) {
            let stop = endOfAddress(from: start)
            let authority = self[start..<stop].firstIndex { "/?#".unicodeScalars.contains($0) } ?? stop
            let host = self[start..<authority].lastIndex(of: "@").map { $0 + 1 } ?? start
            let references = references(in: start..<stop)
            for hidden in [start..<host, Swift.min(authority + 1, stop)..<stop] {
                for place in hidden where !references.contains(place) { shown[place] = "*" }
            }
            index = stop
        }
        return shown
    }

    /// The indices inside `{{…}}` and `${…}`, which a message may be about.
    private func references(in range: Range<Int>) -> Set<Int> {
        var places: Set<Int> = []
        var index = range.lowerBound
        while index < range.upperBound {
            let isExpression = self[index...].starts(with: "{{".unicodeScalars)
            guard isExpression || self[index...].starts(with: "${".unicodeScalars) else {
                index += 1
                continue
            }
            let stop = Swift.min(end(of: isExpression ? "}}" : "}", from: index) ?? count, range.upperBound)
            places.formUnion(index..<stop)
            index = stop
        }
        return places
    }

    private func end(of mark: String, from index: Int) -> Int? {
        let mark = Array(mark.unicodeScalars)
        return (index..<Swift.max(index, count - mark.count + 1)).first { self[$0...].starts(with: mark) }
            .map { $0 + mark.count }
    }

    /// An address ends at a space, a quotation mark or a comma before a space, but not within an expression.
    private func endOfAddress(from start: Int) -> Int {
        var index = start
        while index < count {
            let next = index + 1 < count ? self[index + 1] : " "
            if self[index] == "{", next == "{" {
                index = end(of: "}}", from: index) ?? count
                continue
            }
            if self[index].endsAddress { return index }
            if self[index] == ",", next.properties.isWhitespace { return index }
            index += 1
        }
        return index
    }
}

extension Character {
    /// Whether YAML 1.1 ends a line with it: the parser counts lines by these, so the excerpt must as well.
    fileprivate var isYAMLLineBreak: Bool {
        switch self {
        case "\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }
}
