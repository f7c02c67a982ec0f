import RxDiagnostics
import RxJQ

/// Splits a template into texts and expressions.
enum TemplateParser {
    /// A part of a template.
    enum Part: Sendable {
        case text(String)
        case expression
    }

    static func parse(_ text: LocatedText) throws(Diagnostics) -> (parts: [Part], expressions: [LocatedText]) {
        let scalars = Array(text.text.unicodeScalars)
        // The value of a substituted variable is literal, even if it contains '{{'.
        var literal: Set<Int> = []
        for range in text.substituted { literal.formUnion(range) }
        var parts: [Part] = []
        var expressions: [LocatedText] = []
        var start = 0
        var index = 0
        while index < scalars.count {
            guard scalars.hasPair("{", at: index), !literal.contains(index), !literal.contains(index + 1) else {
                index += 1
                continue
            }
            if start < index { parts.append(.text(String(scalars[start..<index]))) }
            let end = try endOfExpression(scalars, from: index + 2, in: text)
            expressions.append(text.slice(index + 2..<end, of: scalars))
            parts.append(.expression)
            index = end + 2
            start = index
        }
        if start < index { parts.append(.text(String(scalars[start..<index]))) }
        return (parts, expressions)
    }

    /// The offset of the `}}` that ends the expression.
    private static func endOfExpression(
        _ scalars: [Unicode.Scalar], from start: Int, in text: LocatedText
    ) throws(Diagnostics) -> Int {
        var scanner = JQScanner()
        for index in start..<scalars.count {
            if scanner.isAtTopLevel, scalars.hasPair("}", at: index) { return index }
            _ = scanner.feed(scalars[index])
            // The program puts the expression between brackets, which the expression must not close.
            if scanner.isUnbalanced {
                throw Diagnostics(scanner.complaint(about: "\(scalars[index])"), at: text.location(at: index))
            }
        }
        let missing = scanner.expected.map { "; a '\($0)' inside it is missing, too" } ?? ""
        throw Diagnostics("this '{{' has no '}}'\(missing)", at: text.location(at: start - 2))
    }
}

extension [Unicode.Scalar] {
    fileprivate func hasPair(_ scalar: Unicode.Scalar, at index: Int) -> Bool {
        index + 1 < count && self[index] == scalar && self[index + 1] == scalar
    }
}

extension String {
    fileprivate init(_ scalars: ArraySlice<Unicode.Scalar>) {
        self = String(String.UnicodeScalarView(scalars))
    }
}
