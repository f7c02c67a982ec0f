import RxDiagnostics
import RxJQ

/// Finds what is valid in an expression, but hardly what was meant.
enum ExpressionWarnings {
    /// Adds warnings about an expression to a report.
    ///
    /// - Parameters:
    ///   - text: the expression.
    ///   - isCondition: whether only the truth of its output matters.
    ///   - report: the report.
    static func check(_ text: LocatedText, isCondition: Bool, _ report: Report) {
        let scalars = Array(text.text.unicodeScalars)
        var scanner = JQScanner()
        /// The offset of an assignment whose result is the output.
        var assignment: Int?
        for (offset, scalar) in scalars.enumerated() {
            let isAtTopLevel = scanner.isAtTopLevel
            guard scanner.feed(scalar) == .code else { continue }
            let before = offset > 0 ? scalars[offset - 1] : " "
            let next = offset + 1 < scalars.count ? scalars[offset + 1] : " "
            switch scalar {
            case "|" where isAtTopLevel && next != "=", ";" where isAtTopLevel: assignment = nil
            case "=" where isAtTopLevel && next != "=" && !operatorsBefore.contains(before):
                assignment = assignment ?? offset
            case "$": checkMember(scalars[(offset + 1)...], text, report)
            default: break
            }
        }
        if isCondition, let assignment {
            report.warn(
                "'=' sets a value, and the result is true for every event; write '==' to compare",
                at: text.location(at: assignment))
        }
    }

    /// Adds a warning for each path that begins with a member that the value never has. Paths behind a pipe or in brackets
    /// may be those of another value.
    ///
    /// - Parameters:
    ///   - text: the expression.
    ///   - members: all members that the value may have.
    ///   - source: the source of the value.
    ///   - report: the report.
    static func checkMembers(
        of text: LocatedText, among members: [String], ofSource source: String, _ report: Report
    ) {
        let scalars = Array(text.text.unicodeScalars)
        var scanner = JQScanner()
        var unknown: [(offset: Int, name: String)] = []
        for (offset, scalar) in scalars.enumerated() {
            let isAtTopLevel = scanner.isAtTopLevel
            guard scanner.feed(scalar) == .code, isAtTopLevel else { continue }
            let before = offset > 0 ? scalars[offset - 1] : " "
            let next = offset + 1 < scalars.count ? scalars[offset + 1] : " "
            if scalar == "|" && next != "=" { break }
            // An assignment makes members.
            if scalar == "=" && next != "=" && !["=", "!", "<", ">"].contains(before) { return }
            guard scalar == ".", !before.isInIdentifier, !")]}\"'.?".unicodeScalars.contains(before) else { continue }
            let name = String(String.UnicodeScalarView(scalars[(offset + 1)...].prefix(while: \.isInIdentifier)))
            guard let first = name.first, !first.isNumber, !members.contains(name) else { continue }
            unknown.append((offset + 1, name))
        }
        // Their bodies have other inputs.
        let words = text.text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        if words.contains("def") || words.contains("catch") { return }
        for (offset, name) in unknown {
            let hint = report.hint(for: name, in: members) ?? "; they have \(members.joined(separator: ", "))"
            report.warn(
                "events of \(source) have no member '\(name.shortened)', so this is null\(hint)",
                at: text.location(at: offset))
        }
    }

    /// The characters that make another operator of a following `=`.
    private static let operatorsBefore: Set<Unicode.Scalar> = ["=", "!", "<", ">", "|", "+", "-", "*", "/", "%"]

    /// Adds a warning if a variable, whose name follows here, is `$event` with a member that it does not have.
    private static func checkMember(_ rest: ArraySlice<Unicode.Scalar>, _ text: LocatedText, _ report: Report) {
        let variable = rest.prefix(while: \.isInIdentifier)
        let afterVariable = rest.dropFirst(variable.count)
        guard variable.elementsEqual("event".unicodeScalars), afterVariable.first == "." else { return }
        let member = afterVariable.dropFirst().prefix(while: \.isInIdentifier)
        let name = String(String.UnicodeScalarView(member))
        guard !name.isEmpty, !PipelineEvent.members.contains(name) else { return }
        let hint = report.hint(for: name, in: PipelineEvent.members)
        report.warn(
            "$event has no member '\(name.shortened)', so this is null\(hint ?? "; it has \(PipelineEvent.members.joined(separator: ", "))")",
            at: text.location(at: member.startIndex))
    }
}

extension Unicode.Scalar {
    fileprivate var isInIdentifier: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}
