/// Compiles programs, and places jq's complaints about them in the config.
enum JQCompiler {
    /// `variables` are the names bound in the program, for a message about one that is not.
    static func compile(_ source: JQSource, variables: [String]) throws(Diagnostics) -> sending JQState {
        for user in source.users {
            if let offset = user.text.unicodeScalars.enumerated().first(where: { $0.element == "\0" })?.offset {
                throw Diagnostics("an expression cannot hold the character NUL", at: user.location(at: offset))
            }
            if !JQScanner.holdsCode(user.text) {
                throw Diagnostics("an expression is missing; '.' stands for the value itself", at: user.location)
            }
        }
        do {
            return try JQState(source.text)
        } catch {
            throw diagnostics(for: error, source, variables)
        }
    }

    private static func diagnostics(
        for error: JQCompileError, _ source: JQSource, _ variables: [String]
    ) -> Diagnostics {
        let spread = source.spread
        var messages = error.messages
        // The spread form is the same program and fails alike, but with lines that tell columns.
        do { _ = try JQState(spread.text) } catch { messages = error.messages }
        var complaints = messages.compactMap(JQComplaint.init)
        // A text that does not parse gets one message: jq's guess at the cause where it helps, or else its place.
        if let error = complaints.first(where: \.isSyntaxError) {
            complaints = [complaints.first(where: \.isGoodGuess) ?? error]
        }
        let explainer = JQExplainer(variables: variables)
        let list = complaints.map { complaint in
            let index = min(max((complaint.line ?? 1) - 1, 0), max(spread.origins.count - 1, 0))
            return explainer.explain(complaint, at: spread.origins[index])
        }
        return Diagnostics(list)
    }
}

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
