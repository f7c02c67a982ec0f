import RxDiagnostics
import RxJQ
import RxJSON

/// Finds what is valid in an expression, but hardly what was meant.
enum ExpressionWarnings {
    /// Adds warnings about an expression to a report.
    ///
    /// - Parameters:
    ///   - text: the expression.
    ///   - isCondition: whether only the truth of its output matters.
    ///   - report: the report.
    static func check(_ text: LocatedText, isCondition: Bool, _ report: Report) {
        /// The offset of an assignment whose result is the output.
        var assignment: Int?
        if isCondition { checkConstant(text, report) }
        for code in code(of: text) {
            switch code.scalar {
            case "|" where code.isAtTopLevel && code.next != "=", ";" where code.isAtTopLevel: assignment = nil
            case "=" where code.isAtTopLevel && code.next != "=" && !operatorsBefore.contains(code.before):
                assignment = assignment ?? code.offset
            case "$": checkMember(code.rest, text, report)
            default: break
            }
            if code.beginsIdentifier { checkInput(code, text, report) }
        }
        if isCondition, let assignment {
            report.warn(
                "'=' sets a value, and the result is true for every event; write '==' to compare",
                at: text.location(at: assignment))
        }
    }

    /// Adds a warning about a condition that is a constant, such as `"down"`.
    private static func checkConstant(_ text: LocatedText, _ report: Report) {
        let space = text.text.prefix { $0.isWhitespace }
        // The parser reads nan as null, which is false; in jq it is true.
        guard let value = try? JSON(parsing: text.text), !text.text.contains("nan") else { return }
        let isTrue = value != .null && value != false
        let example: String
        switch value {
        case .string, .number: example = ".x == \(value.description.shortened)"
        case .null, .bool, .array, .object: example = ".ok"
        }
        report.warn(
            "this is \(isTrue) for every event; write a condition, such as \(example)",
            at: text.location(at: space.unicodeScalars.count))
    }

    /// A character of an expression outside of its strings and comments.
    struct Code {
        let offset: Int
        let scalar: Unicode.Scalar
        let before: Unicode.Scalar
        /// The characters after this one, with strings and comments.
        let rest: ArraySlice<Unicode.Scalar>
        /// Whether no bracket is open before it.
        let isAtTopLevel: Bool

        var next: Unicode.Scalar { rest.first ?? " " }

        /// Whether the name of a function begins here.
        var beginsIdentifier: Bool {
            scalar.isInIdentifier && !before.isInIdentifier && !".$@".unicodeScalars.contains(before)
        }

        /// The name that begins here.
        var identifier: String {
            String(String.UnicodeScalarView([scalar] + rest.prefix(while: \.isInIdentifier)))
        }
    }

    /// The characters of an expression outside of its strings and comments.
    static func code(of text: LocatedText) -> [Code] {
        let scalars = Array(text.text.unicodeScalars)
        var scanner = JQScanner()
        return scalars.enumerated().compactMap { offset, scalar in
            let isAtTopLevel = scanner.isAtTopLevel
            guard scanner.feed(scalar) == .code else { return nil }
            return Code(
                offset: offset, scalar: scalar, before: offset > 0 ? scalars[offset - 1] : " ",
                rest: scalars[(offset + 1)...], isAtTopLevel: isAtTopLevel)
        }
    }

    /// The characters that make another operator of a following `=`.
    private static let operatorsBefore: Set<Unicode.Scalar> = ["=", "!", "<", ">", "|", "+", "-", "*", "/", "%"]

    /// Adds a warning about further inputs, which an expression has in jq(1), and not here.
    private static func checkInput(_ code: Code, _ text: LocatedText, _ report: Report) {
        let name = code.identifier
        guard ["input", "inputs"].contains(name), !text.text.contains("def \(name)") else { return }
        // Keys of objects, such as {input: 1} and {input}, and definitions.
        let next = code.rest.dropFirst(name.unicodeScalars.count - 1).first { $0 != " " }
        if let next, ":,}".unicodeScalars.contains(next) { return }
        report.warn("an expression has one input, the event; '.' is its value", at: text.location(at: code.offset))
    }

    /// Adds a warning if a variable, whose name follows here, is `$event` with a member that it does not have.
    private static func checkMember(_ rest: ArraySlice<Unicode.Scalar>, _ text: LocatedText, _ report: Report) {
        let variable = rest.prefix(while: \.isInIdentifier)
        let afterVariable = rest.dropFirst(variable.count)
        guard variable.elementsEqual("event".unicodeScalars), afterVariable.first == "." else { return }
        guard let member = MemberPath(afterVariable.dropFirst()).names.first,
            !PipelineEvent.members.contains(member.text)
        else { return }
        let members = PipelineEvent.members
        warn("$event has", noMember: member, of: members, "it has", text, report)
    }

    /// Adds a warning about a member that a value never has, with the members that it has.
    ///
    /// - Parameters:
    ///   - subject: the beginning of the message: "$event has".
    ///   - member: the name, with its offset in the expression.
    ///   - members: the members of the value; `nil` if it is the entry of a journal.
    ///   - list: what begins a list of the members: "it has".
    ///   - text: the expression.
    ///   - report: the report.
    static func warn(
        _ subject: String, noMember member: (text: String, offset: Int), of members: [String]?, _ list: String,
        _ text: LocatedText, _ report: Report
    ) {
        let hint =
            members.map { report.hint(for: member.text, in: $0) ?? "; \(list) \($0.joined(separator: ", "))" }
            ?? JournalSource.hint(for: member.text)
        report.warn(
            "\(subject) no member '\(member.text.shortened)', so this is null\(hint)",
            at: text.location(at: member.offset))
    }
}
