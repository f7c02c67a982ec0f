import RxDiagnostics

/// Finds errors in programs, and maps jq's error messages to locations in the configuration.
enum JQCompiler {
    /// The most bytes of an expression, or of all expressions of a template. jq's time to compile grows with the square
    /// of the size: up to two seconds at this limit, a minute at five times as many bytes.
    private static let maximumBytes = 16 << 10
    /// The cost of an expression of a template in addition to its own bytes.
    private static let pieceCost = 3

    /// Checks a program for errors that jq would not report, or only after a long time.
    static func precheck(_ source: JQSource) throws(Diagnostics) {
        let cost = source.users.reduce(0) { $0 + $1.text.utf8.count + pieceCost }
        if cost > maximumBytes, let first = source.users.first {
            let size = "\(maximumBytes >> 10) KiB"
            throw Diagnostics(
                "this has more than \(size) of jq, which takes too long to compile; do it in several steps",
                at: first.location)
        }
        for user in source.users {
            if let offset = user.text.unicodeScalars.enumerated().first(where: { $0.element == "\0" })?.offset {
                throw Diagnostics("an expression cannot hold the character NUL", at: user.location(at: offset))
            }
            if !JQScanner.holdsCode(user.text) {
                throw Diagnostics("an expression is missing; '.' stands for the value itself", at: user.location)
            }
        }
    }

    /// Returns the errors of a program for which jq has reported an error.
    ///
    /// - Parameters:
    ///   - error: jq's messages.
    ///   - source: the program.
    ///   - variables: the names bound in the program, for the message about an unbound one.
    static func diagnostics(
        for error: JQCompileError, _ source: JQSource, _ variables: [String]
    ) -> Diagnostics {
        let spread = source.spread
        var messages = error.messages
        // The spread form is the same program and fails in the same way, but each line of it stands for a column.
        do { _ = try JQState(spread.text) } catch { messages = error.messages }
        var reportedErrors = messages.compactMap(JQReportedError.init)
        // A syntax error yields one message: jq's guess at the cause if it is helpful, otherwise the location.
        if let error = reportedErrors.first(where: \.isSyntaxError) {
            reportedErrors = [reportedErrors.first(where: \.isUsefulHint) ?? error]
        }
        let explainer = JQExplainer(variables: variables)
        let list = reportedErrors.map { reported in
            let index = min(max((reported.line ?? 1) - 1, 0), max(spread.origins.count - 1, 0))
            return explainer.explain(reported, at: spread.origins[index])
        }
        return Diagnostics(list)
    }
}
