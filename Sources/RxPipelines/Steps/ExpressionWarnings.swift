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
        /// The offset of an assignment whose result is the output.
        var assignment: Int?
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

    /// Adds a warning for each path that begins with a member that the value never has, and for each comparison of a member
    /// with a text that it never is. Paths behind a pipe or in brackets may be those of another value.
    ///
    /// - Parameters:
    ///   - text: the expression.
    ///   - members: all members that the value may have.
    ///   - choices: the texts that members may be, if they are a closed list.
    ///   - source: the source of the value.
    ///   - report: the report.
    static func checkMembers(
        of text: LocatedText, among members: [String], _ choices: [String: [String]], ofSource source: String,
        _ report: Report
    ) {
        // Their bodies have other inputs.
        let words = text.text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        if words.contains("def") || words.contains("catch") { return }
        var unknown: [Member] = []
        var compared: [Member] = []
        var previous: Unicode.Scalar = " "
        for code in code(of: text) where code.isAtTopLevel {
            defer { if code.scalar != " " { previous = code.scalar } }
            if code.scalar == "|" && code.next != "=" { break }
            // An assignment makes members.
            if code.scalar == "=" && code.next != "=" && !["=", "!", "<", ">"].contains(code.before) { return }
            guard code.scalar == ".", !code.before.isInIdentifier,
                !")]}\"'.?".unicodeScalars.contains(code.before)
            else { continue }
            let member = Member(code.rest)
            guard let first = member.name.first, !first.isNumber else { continue }
            if !members.contains(member.name) {
                unknown.append(member)
            } else if !arithmetic.contains(previous) {
                compared.append(member)
            }
        }
        for member in unknown { warn(about: member, "events of \(source) have", "they have", members, text, report) }
        for member in compared {
            guard let texts = choices[member.name], let other = member.comparedText, !texts.contains(other.text) else {
                continue
            }
            let hint = report.hint(for: other.text, in: texts) ?? "; it is one of \(texts.joined(separator: ", "))"
            report.warn(
                "'\(other.text.shortened)' is never the \(member.name) of an event of \(source)\(hint)",
                at: text.location(at: other.offset))
        }
    }

    /// The operators that precede comparisons.
    private static let arithmetic: Set<Unicode.Scalar> = ["+", "-", "*", "/", "%"]

    /// The name of a member, and its offset in the expression.
    private struct Member {
        let offset: Int
        let name: String
        /// What follows.
        private let rest: ArraySlice<Unicode.Scalar>

        /// The text that it is compared with, and its offset: `"x"` after `==` or `!=`.
        var comparedText: (text: String, offset: Int)? {
            let comparison = rest.drop { $0 == " " }
            guard ["==", "!="].contains(where: { comparison.starts(with: $0.unicodeScalars) }) else { return nil }
            let literal = comparison.dropFirst(2).drop { $0 == " " }
            let text = literal.dropFirst().prefix { $0 != "\"" && $0 != "\\" }
            guard literal.first == "\"", text.endIndex < literal.endIndex, literal[text.endIndex] == "\"" else {
                return nil
            }
            // The text may be only a part of what it is compared with.
            let next = literal[(text.endIndex + 1)...].first { $0 != " " } ?? " "
            if arithmetic.contains(next) || ".[?".unicodeScalars.contains(next) { return nil }
            return (String(String.UnicodeScalarView(text)), literal.startIndex)
        }

        /// Reads the name with which `rest` begins; it may be empty.
        init(_ rest: ArraySlice<Unicode.Scalar>) {
            offset = rest.startIndex
            let scalars = rest.prefix(while: \.isInIdentifier)
            name = String(String.UnicodeScalarView(scalars))
            self.rest = rest[scalars.endIndex...]
        }
    }

    private static func warn(
        about member: Member, _ subject: String, _ list: String, _ members: [String], _ text: LocatedText,
        _ report: Report
    ) {
        let hint = report.hint(for: member.name, in: members) ?? "; \(list) \(members.joined(separator: ", "))"
        report.warn(
            "\(subject) no member '\(member.name.shortened)', so this is null\(hint)",
            at: text.location(at: member.offset))
    }

    /// A character of an expression outside of its strings and comments.
    private struct Code {
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

    private static func code(of text: LocatedText) -> [Code] {
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
        let member = Member(afterVariable.dropFirst())
        guard !member.name.isEmpty, !PipelineEvent.members.contains(member.name) else { return }
        warn(about: member, "$event has", "it has", PipelineEvent.members, text, report)
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
