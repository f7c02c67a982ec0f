import RxDiagnostics

/// Finds what is wrong with programs, and places jq's complaints about them in the config.
enum JQCompiler {
    /// What is wrong with a program before jq has seen it.
    static func precheck(_ source: JQSource) throws(Diagnostics) {
        for user in source.users {
            if let offset = user.text.unicodeScalars.enumerated().first(where: { $0.element == "\0" })?.offset {
                throw Diagnostics("an expression cannot hold the character NUL", at: user.location(at: offset))
            }
            if !JQScanner.holdsCode(user.text) {
                throw Diagnostics("an expression is missing; '.' stands for the value itself", at: user.location)
            }
        }
    }

    /// What is wrong with a program that jq does not compile for the reasons it gives in `error`.
    ///
    /// - Parameter variables: the names bound in the program, for a message about one that is not.
    static func diagnostics(
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
