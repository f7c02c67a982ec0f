import RxDiagnostics
import RxJSON

extension ExpressionWarnings {
    /// Adds a warning for each path with a member that the value never has, and for each comparison of a member with a
    /// constant that it never is. Paths behind a pipe or in brackets may be those of another value.
    ///
    /// - Parameters:
    ///   - text: the expression.
    ///   - type: what is known of the value.
    ///   - source: the source of the value.
    ///   - report: the report.
    static func checkMembers(
        of text: LocatedText, in type: ValueType, ofSource source: String, _ report: Report
    ) {
        // Their bodies have other inputs.
        let words = text.text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        if words.contains("def") || words.contains("catch") { return }
        var paths: [(path: MemberPath, isOperand: Bool)] = []
        var previous: Unicode.Scalar = " "
        for code in code(of: text) where code.isAtTopLevel {
            defer { if code.scalar != " " { previous = code.scalar } }
            if code.scalar == "|" && code.next != "=" { break }
            // An assignment makes members.
            if code.scalar == "=" && code.next != "=" && !["=", "!", "<", ">"].contains(code.before) { return }
            guard code.scalar == ".", !code.before.isInIdentifier,
                !")]}\"'.?".unicodeScalars.contains(code.before)
            else { continue }
            paths.append((MemberPath(code.rest), arithmetic.contains(previous)))
        }
        for (path, isOperand) in paths {
            guard let type = resolve(path, in: type, ofSource: source, text, report), !isOperand,
                let comparison = path.comparison, type.rank != nil, !type.admits(comparison.constant)
            else { continue }
            let member = path.names.map(\.text).joined(separator: ".")
            let problem = Mismatch(member: member, source: source, type: type, comparison: comparison)
            if let message = problem.message(report) {
                report.warn(message, at: text.location(at: comparison.offset))
            }
        }
    }

    /// The operators that precede comparisons.
    private static let arithmetic: Set<Unicode.Scalar> = ["+", "-", "*", "/", "%"]

    /// Returns the type of the member at the end of a path; `nil` after a warning about one that does not exist.
    private static func resolve(
        _ path: MemberPath, in type: ValueType, ofSource source: String, _ text: LocatedText, _ report: Report
    ) -> ValueType? {
        var type = type
        for (index, name) in path.names.enumerated() {
            guard let next = type.memberType(name.text) else {
                let outer = path.names[..<index].map(\.text).joined(separator: ".")
                let (subject, list) =
                    index == 0
                    ? ("events of \(source) have", "they have")
                    : ("the \(outer) of an event of \(source) has", "it has")
                warn(subject, noMember: name, of: type.members, list, text, report)
                return nil
            }
            type = next
        }
        return type
    }

    /// A comparison whose result is the same for every value of a member.
    private struct Mismatch {
        let member: String
        let source: String
        let type: ValueType
        let comparison: MemberPath.Comparison

        /// What is wrong, and what to write; `nil` if nothing is.
        func message(_ report: Report) -> String? {
            let constant = comparison.constant
            let subject = "the \(member) of an event of \(source)"
            if let texts = type.choices, let text = constant.string {
                // The order of other texts may be meant.
                guard comparison.isEquality else { return nil }
                let hint = report.hint(for: text, in: texts) ?? "; it is one of \(texts.joined(separator: ", "))"
                return "'\(text.shortened)' is never \(subject)\(hint)"
            }
            if comparison.isEquality {
                return "\(constant.description.shortened) is never \(subject), which is \(type.described)\(advice)"
            }
            guard let rank = type.rank, let other = ValueType(of: constant), let otherRank = other.rank else {
                return nil
            }
            let order = rank < otherRank ? "less" : "greater"
            return "\(subject) is \(type.described), which is always \(order) than \(other.described)\(advice)"
        }

        /// What to write.
        private var advice: String {
            let constant = comparison.constant
            switch type {
            case .number:
                guard let text = constant.string, let number = try? JSON(parsing: text), number.number != nil else {
                    return "; compare it with a number"
                }
                return "; write \(number)"
            case .boolean:
                let meant = constant.string ?? constant.description
                return ["true", "1"].contains(meant)
                    ? "; write true" : ["false", "0"].contains(meant) ? "; write false" : "; write true or false"
            case .text:
                if comparison.isEquality { return "; write \(JSON.string(constant.description))" }
                return constant.number == nil ? "; compare it with a text" : "; write (.\(member) | tonumber?)"
            case .choice(let texts): return "; it is one of \(texts.joined(separator: ", "))"
            case .object(let members):
                return
                    "; compare one of its members, \(members.map { ".\(member).\($0.key)" }.joined(separator: " or "))"
            case .map: return "; compare one of its members"
            case .any, .journalEntry: return ""
            }
        }
    }
}

extension ValueType {
    /// The type of a constant; `nil` if there is no case for it.
    fileprivate init?(of constant: JSON) {
        switch constant {
        case .bool: self = .boolean
        case .number: self = .number
        case .string: self = .text
        case .null, .array, .object: return nil
        }
    }
}
