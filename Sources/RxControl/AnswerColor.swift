/// The color of a line of an answer on a terminal.
package enum AnswerColor: String, Sendable {
    /// A failure.
    case red = "31"
    /// A warning.
    case yellow = "33"
    /// An error or a notice with its location, and the caret below its line.
    case bold = "1"

    /// The words of lines about what fails or has leaked.
    private static let bad: Set<Substring> = ["failed", "failed:", "FAILED", "fail:", "fails:", "leak:", "LEAK"]
    /// The words of lines about what may be wrong.
    private static let suspicious: Set<Substring> = ["warning:", "ABOVE"]

    /// The color of a line; `nil` for the terminal's own.
    package init?(of line: String) {
        let words = line.split(separator: " ")
        if words.contains(where: Self.suspicious.contains) {
            self = .yellow
        } else if words.contains(where: Self.bad.contains) {
            self = .red
        } else if words == ["^"] || words.first.map(Self.isLocation) == true {
            self = .bold
        } else {
            return nil
        }
    }

    /// The text in this color.
    package func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }

    /// The lines of a text on a terminal, broken at spaces where they are too long for it, each in its color.
    ///
    /// - Parameters:
    ///   - columns: the columns of the terminal; `nil` for any.
    ///   - hasColor: whether the terminal has colors.
    package static func shown(_ text: String, columns: Int?, hasColor: Bool) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.enumerated().flatMap { index, line -> [String] in
            let color = hasColor ? AnswerColor(of: line) : nil
            // A caret below a line points into it.
            let isPointedInto =
                index + 1 < lines.count && lines[index + 1].allSatisfy { " ^".contains($0) }
                && lines[index + 1].contains("^")
            let parts = columns.flatMap { isPointedInto ? nil : line.wrapped(toColumns: $0) } ?? [line]
            return parts.map { color?.applied(to: $0) ?? $0 }
        }.joined(separator: "\n")
    }

    /// Whether a word is `FILE:LINE:COLUMN:`.
    private static func isLocation(_ word: Substring) -> Bool {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts.last == "" else { return false }
        return parts.dropLast().suffix(2).allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
    }
}

extension StandardStream {
    /// Prints a text in a color, or without it if this is not a terminal that has them.
    ///
    /// - Returns: `errno` if not all of it could be written; `nil` on success.
    @discardableResult
    package func print(_ text: String, in color: AnswerColor?) -> Int32? {
        print(hasColor ? color?.applied(to: text) ?? text : text)
    }
}
