/// One of jq's messages, taken apart.
struct JQComplaint {
    var text: String
    var line: Int?
    /// It is about `~/.jq`: libjq loads that before every program, and offers no way not to.
    var isElsewhere = false

    var isSyntaxError: Bool { text.hasPrefix("syntax error") }

    /// jq adds guesses to a syntax error; not all of them help.
    var isGoodGuess: Bool { text.hasPrefix("Possibly unterminated") || text.hasPrefix("break requires") }

    /// Nil for the last line of every report, which only counts the others.
    init?(_ message: String) {
        guard message.hasPrefix("jq: error: ") else { return nil }
        text = String(message.dropFirst("jq: error: ".count))
        if let place = text.ranges(of: " at <top-level>, line ").last {
            line = Int(text[place.upperBound...].prefix { $0.isNumber })
            text = String(text[..<place.lowerBound])
        }
        isElsewhere = line == nil && text.contains(" at <builtin>, line ")
        for noise in [" (Unix shell quoting issues?)", " (while parsing ", " at EOF at line ", " at line "] {
            guard let range = text.firstRange(of: noise) else { continue }
            text = String(text[..<range.lowerBound])
        }
        if text.hasSuffix("\n") { text.removeLast() }
    }
}
