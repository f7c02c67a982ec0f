/// Operators and functions that other languages have, and jq does not, with what to write instead.
enum JQForeignSyntax {
    /// The functions of other languages, and the one that is meant.
    static let functions = [
        "upper": "ascii_upcase", "uppercase": "ascii_upcase", "toupper": "ascii_upcase", "lower": "ascii_downcase",
        "lowercase": "ascii_downcase", "tolower": "ascii_downcase", "toint": "tonumber", "int": "tonumber",
        "float": "tonumber", "number": "tonumber", "str": "tostring", "string": "tostring", "len": "length",
        "size": "length", "count": "length", "replace": "gsub", "exists": "has", "None": "null", "nil": "null",
        "undefined": "null", "True": "true", "False": "false", "filter": "select", "each": ".[]",
        "startsWith": "startswith", "endsWith": "endswith", "indexOf": "index", "concat": "add",
        "average": "add / length",
    ]

    /// Returns what to write instead of an unexpected token; `nil` if that is not known.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - text: the expression.
    ///   - offset: the offset of the token, in Unicode scalars.
    static func advice(for token: String, in text: String, at offset: Int) -> String? {
        let scalars = Array(text.unicodeScalars)
        let before = String(String.UnicodeScalarView(scalars.prefix(offset))).trimmingSuffix { $0 == " " }
        let isAfter = { (end: String) in before.hasSuffix(end) }
        switch token.unicodeScalars.first {
        case "$" where token.hasPrefix("$."): return "jq has no '$' for the value; write '\(token.dropFirst())'"
        case "&": return "jq has no '&&'; write 'and'"
        case "|" where isAfter("|"): return "jq has no '||'; write 'or'"
        case "!" where !token.hasPrefix("!="): return "jq has no '!'; write '| not' after the value"
        case "=" where token.hasPrefix("==="): return "jq has no '==='; write '=='"
        case "!" where token.hasPrefix("!=="): return "jq has no '!=='; write '!='"
        case "=" where token.hasPrefix("=~"), "~": return "jq has no '=~'; write test(\"…\") after the value"
        case "<" where token.hasPrefix("<>"): return "jq has no '<>'; write '!='"
        case ")" where isAfter("("): return "a function without arguments has no parentheses in jq"
        case "(" where before.lastMember != nil:
            return "jq has no methods; write '| \(before.lastMember ?? "")(…)' after the value"
        default: return nil
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> String {
        String(prefix(count - reversed().prefix(while: isDropped).count))
    }

    /// The name after the last dot, if the text ends with it: `endswith` of `.path.endswith`.
    fileprivate var lastMember: String? {
        let name = String(reversed().prefix { $0.isLetter || $0 == "_" }.reversed())
        return !name.isEmpty && dropLast(name.count).last == "." ? name : nil
    }
}
