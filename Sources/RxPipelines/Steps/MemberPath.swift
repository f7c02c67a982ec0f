import RxJSON

/// A path of members in an expression, such as `.error.code`, and the constant that it is compared with.
struct MemberPath {
    /// A comparison of a member with a constant: `== "x"`.
    struct Comparison {
        /// Whether the operator is `==` or `!=`, and not one of order.
        let isEquality: Bool
        let constant: JSON
        /// The offset of the constant in the expression.
        let offset: Int

        /// Reads the comparison with which `rest` begins; `nil` if there is none, or if what follows may change the
        /// constant.
        init?(_ rest: ArraySlice<Unicode.Scalar>) {
            let rest = rest.drop(while: \.isSpace)
            let operators = ["==", "!=", "<=", ">=", "<", ">"]
            guard let found = operators.first(where: { rest.starts(with: $0.unicodeScalars) }) else { return nil }
            isEquality = ["==", "!="].contains(found)
            let literal = rest.dropFirst(found.unicodeScalars.count).drop(while: \.isSpace)
            offset = literal.startIndex
            let end: Int
            if literal.first == "\"" {
                let text = literal.dropFirst().prefix { $0 != "\"" && $0 != "\\" }
                guard text.endIndex < literal.endIndex, literal[text.endIndex] == "\"" else { return nil }
                end = text.endIndex + 1
                constant = .string(String(String.UnicodeScalarView(text)))
            } else {
                let word = literal.prefix { $0.isInIdentifier || $0 == "." || $0 == "-" }
                end = word.endIndex
                guard word.first != "n", let value = try? JSON(parsing: String(String.UnicodeScalarView(word))) else {
                    return nil
                }
                constant = value
            }
            guard Self.isEnd(literal[end...].drop(while: \.isSpace)) else { return nil }
        }

        /// Whether the operand of a comparison ends before this text.
        private static func isEnd(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
            guard let first = rest.first else { return true }
            if first == "|" || first == "," || first == ")" { return true }
            let word = String(String.UnicodeScalarView(rest.prefix(while: \.isInIdentifier)))
            return ["and", "or", "then", "elif", "else", "end"].contains(word)
        }
    }

    /// The names of the path, each with its offset in the expression; empty if it does not begin with a name.
    let names: [(text: String, offset: Int)]
    let comparison: Comparison?

    /// Reads the path whose first name `rest` begins with.
    init(_ rest: ArraySlice<Unicode.Scalar>) {
        var names: [(text: String, offset: Int)] = []
        var rest = rest
        while let first = rest.first, first.isInIdentifier, !("0"..."9").contains(first) {
            let name = rest.prefix(while: \.isInIdentifier)
            names.append((String(String.UnicodeScalarView(name)), name.startIndex))
            rest = rest[name.endIndex...].drop { $0 == "?" }
            guard rest.first == ".", let next = rest.dropFirst().first, next.isInIdentifier else { break }
            rest = rest.dropFirst()
        }
        self.names = names
        comparison = names.isEmpty ? nil : Comparison(rest)
    }
}

extension Unicode.Scalar {
    /// Whether the character may be part of a name in an expression.
    var isInIdentifier: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    fileprivate var isSpace: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }
}
