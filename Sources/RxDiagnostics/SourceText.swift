/// The text of one config file, kept so that a diagnostic can show the line it is about.
package struct SourceText: Sendable {
    package let file: String
    private let lines: [Substring]

    package init(file: String, text: String) {
        self.file = file
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isYAMLLineBreak)
    }

    /// The line a location is on and a second line with a caret under its column; nil where there is nothing to show.
    ///
    /// A long line is cut to what stands around the caret, and characters that could steer a terminal are replaced.
    func excerpt(at location: SourceLocation) -> String? {
        guard location.file == file, lines.indices.contains(location.line - 1) else { return nil }
        let scalars = Array(lines[location.line - 1].unicodeScalars)
        if scalars.allSatisfy(\.properties.isWhitespace) { return nil }
        let caret = min(max(location.column - 1, 0), scalars.count)
        let start = caret > 100 ? caret - 60 : 0
        let end = min(scalars.count, start + 160)
        let shown = scalars[start..<end].map { Character($0.shownOnTerminal) }
        let padding = shown.prefix(caret - start).map { $0 == "\t" ? "\t" : " " as Character }
        let ellipses = (start > 0 ? "…" : "", end < scalars.count ? "…" : "")
        let indent = ellipses.0.isEmpty ? "" : " "
        return "\(ellipses.0)\(String(shown))\(ellipses.1)\n\(indent)\(String(padding))^"
    }
}

extension Character {
    /// What YAML 1.1 ends a line with; the parser counts lines by these, so the excerpt must as well.
    fileprivate var isYAMLLineBreak: Bool {
        switch self {
        case "\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }
}
