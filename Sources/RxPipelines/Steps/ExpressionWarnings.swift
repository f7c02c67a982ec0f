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
