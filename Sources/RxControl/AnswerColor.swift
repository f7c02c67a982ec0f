/// The color of a line of an answer on a terminal.
package enum AnswerColor: String, Sendable {
    /// What has failed.
    case red = "31"
    /// A warning.
    case yellow = "33"
    /// An error with its location, and the caret below its line.
    case bold = "1"

    /// The color of a line; `nil` for the terminal's own.
    package init?(of line: String) {
        let words = line.split(separator: " ")
        if words.contains("warning:") {
            self = .yellow
        } else if words.contains(where: { $0 == "failed" || $0 == "failed:" || $0 == "FAILED" }) {
            self = .red
        } else if words == ["^"] || words.first.map(Self.isLocation) == true {
            self = .bold
        } else {
            return nil
        }
    }

    /// The lines of a text, each in its color.
    package static func colored(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).map { line in
            AnswerColor(of: line).map { "\u{1B}[\($0.rawValue)m\(line)\u{1B}[0m" } ?? line
        }.joined(separator: "\n")
    }

    /// Whether a word is `FILE:LINE:COLUMN:`.
    private static func isLocation(_ word: Substring) -> Bool {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts.last == "" else { return false }
        return parts.dropLast().suffix(2).allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
    }
}
