/// One of jq's error messages, split into its text and its line.
struct JQReportedError {
    var text: String
    var line: Int?
    /// Whether the error is in `~/.jq`, which libjq always loads before a program.
    var isInUserLibrary = false

    var isSyntaxError: Bool { text.hasPrefix("syntax error") }

    /// Whether the expression is too deep for jq's parser.
    var isTooDeep: Bool { text == "memory exhausted" }

    /// Whether this is a helpful one of the guesses that jq adds to a syntax error.
    var isUsefulHint: Bool { text.hasPrefix("Possibly unterminated") || text.hasPrefix("break requires") }

    /// Parses a message; `nil` for the last one of every report, which only counts the others.
    init?(_ message: String) {
        guard message.hasPrefix("jq: error: ") else { return nil }
        text = String(message.dropFirst("jq: error: ".count))
        if let place = text.ranges(of: " at <top-level>, line ").last {
            line = Int(text[place.upperBound...].prefix { $0.isNumber })
            text = String(text[..<place.lowerBound])
        }
        isInUserLibrary = line == nil && text.contains(" at <builtin>, line ")
        for noise in [" (Unix shell quoting issues?)", " (while parsing ", " at EOF at line ", " at line "] {
            guard let range = text.firstRange(of: noise) else { continue }
            text = String(text[..<range.lowerBound])
        }
        if text.hasSuffix("\n") { text.removeLast() }
    }
}
