/// The tokens of an expression that decide where it is evaluated, including those interpolated into strings.
struct JQTokens {
    /// A part of an expression that decides where it is evaluated.
    enum Token: Equatable {
        /// A name that is neither a member nor a variable.
        case word(String)
        /// An operator.
        case sign(Unicode.Scalar)
        /// A multiplication by a number literal.
        case multiplication(by: Double)
        /// An index that is neither a number literal nor a string literal.
        case computedIndex
        /// A slice whose bounds are not number literals.
        case computedSlice
        /// The use of a regular expression, with its pattern if that is a plain string literal.
        case regularExpression(String?)
        /// The replacement of what a regular expression matches, a plain string literal; the value is its number of bytes.
        case replacement(Int)
        /// The elements of a list, or the values of an object.
        case iteration
    }

    private(set) var list: [Token] = []
    /// An upper bound of the size of the value that the operators build, relative to the input; see ``JQGrowth``.
    var growth: Double { sizes.whole }
    private var sizes = JQGrowth()
    private let text: [Unicode.Scalar]
    /// The text with comments and strings replaced by spaces.
    private let code: [Unicode.Scalar]

    private static let matching: Set<String> = ["test", "match", "capture", "scan", "split", "splits", "sub", "gsub"]

    init(_ text: String) {
        var scanner = JQScanner()
        self.text = Array(text.unicodeScalars)
        // The parenthesis that begins an interpolation is part of a string for the scanner.
        code = self.text.map { scanner.feed($0) == .code || $0 == "(" && scanner.expected == ")" ? $0 : " " }
        // For each open bracket: its start, its closing bracket, and whether a colon was found inside.
        var brackets: [(start: Int, closer: Unicode.Scalar, hasColon: Bool)] = []
        var index = 0
        while index < code.count {
            let scalar = code[index]
            let start = index
            index += 1
            if scalar.isWordStart {
                while index < code.count, code[index].isWordPart { index += 1 }
                addWord(start..<index, isInObject: brackets.last?.closer == "}")
                continue
            }
            sizes.add(scalar, isInterpolation: scalar == "(" && start > 0 && self.text[start - 1] == "\\")
            switch scalar {
            case "[": brackets.append((index, "]", false))
            case "{": brackets.append((index, "}", false))
            case "(": brackets.append((index, ")", false))
            case "]", "}", ")":
                guard let open = brackets.last, open.closer == scalar else { continue }
                brackets.removeLast()
                if scalar == "]" { addIndex(open.start..<start, hasColon: open.hasColon) }
            case ":": if brackets.last?.closer == "]" { brackets[brackets.count - 1].hasColon = true }
            case ".":
                if index < code.count, code[index] == "." { list.append(.word("..")) }
            case "=", "!", "<", ">":
                if index < code.count, code[index] == "=" { index += 1 } else { list.append(.sign(scalar)) }
            case "-" where isSignOfNumber(start): break
            case "*": add(factor(at: start).map { .multiplication(by: $0) } ?? .sign(scalar))
            case "/", "%", "-", "@": add(.sign(scalar))
            default: break
            }
        }
    }

    /// Adds a token, and its part in the growth.
    private mutating func add(_ token: Token) {
        list.append(token)
        // A repeated text has a million characters at most, however it is made.
        if case .multiplication = token { return }
        sizes.multiply(by: token.textGrowth)
    }

    /// The number literal before or after the operator at an index; `nil` if there is none.
    private func factor(at index: Int) -> Double? {
        let after = code[(index + 1)...].drop(while: \.properties.isWhitespace).prefix(while: \.isNumberPart)
        let before = code[..<index].reversed().drop(while: \.properties.isWhitespace)
        let digits = before.prefix(while: \.isNumberPart)
        // `.a1 * .b`: the digits end a name.
        let isName = before.dropFirst(digits.count).first?.isWordPart ?? false
        let literals = [Array(after), isName ? [] : digits.reversed()]
        return literals.compactMap { Double(String(String.UnicodeScalarView($0))) }.first
    }

    private mutating func addWord(_ range: Range<Int>, isInObject: Bool) {
        let isMember = range.lowerBound > 0 && ".$".unicodeScalars.contains(code[range.lowerBound - 1])
        let isKey = isInObject && code[range.upperBound...].first { !$0.properties.isWhitespace } == ":"
        if isMember || isKey { return }
        let word = String(String.UnicodeScalarView(code[range]))
        add(.word(word))
        if word == "catch" { sizes.compose() }
        guard Self.matching.contains(word) else { return }
        let pattern = literal(after: range.upperBound, opening: "(")
        add(.regularExpression(pattern.flatMap { hasKnownFlags(after: $0.end) ? $0.text : nil }))
        if word.hasSuffix("sub"), let pattern, let replacement = literal(after: pattern.end, opening: ";") {
            add(.replacement(replacement.text.utf8.count))
        }
    }

    /// Adds the token for the contents of square brackets, unless they are plain or form an array.
    private mutating func addIndex(_ range: Range<Int>, hasColon: Bool) {
        if isPlain(range), code[range].contains(where: { !$0.properties.isWhitespace }) { return }
        if hasColon { return list.append(.computedSlice) }
        let before = text[..<(range.lowerBound - 1)].last { !$0.properties.isWhitespace }
        guard let before, before.isWordPart || ".])}\"?".unicodeScalars.contains(before) else { return }
        if text[range].allSatisfy(\.properties.isWhitespace) { return list.append(.iteration) }
        // An object as the index is a slice, too: its bounds are members.
        if code[range].contains("{") { return list.append(.computedSlice) }
        let content = text[range].filter { !$0.properties.isWhitespace }
        let isString = content.first == "\"" && content.last == "\"" && content.count { $0 == "\"" } == 2
        if !isString { list.append(.computedIndex) }
    }

    /// Whether the minus at `index` begins a number.
    private func isSignOfNumber(_ index: Int) -> Bool {
        let before = code[..<index].last { !$0.properties.isWhitespace }
        let isOperand = before.map { !"[(,:;|=<>".unicodeScalars.contains($0) } ?? false
        return !isOperand && index + 1 < code.count && ("0"..."9").contains(code[index + 1])
    }

    /// Returns the argument that `opening` begins, with the place after it, if it begins with a plain string literal.
    private func literal(after index: Int, opening: Unicode.Scalar) -> (text: String, end: Int)? {
        guard index < text.count, var start = text[index...].firstIndex(where: { !$0.properties.isWhitespace }),
            text[start] == opening
        else { return nil }
        start += 1
        while start < text.count, text[start].properties.isWhitespace { start += 1 }
        guard start < text.count, text[start] == "\"" else { return nil }
        start += 1
        var end = start
        while end < text.count, text[end] != "\"" {
            if text[end] == "\\", end + 1 < text.count {
                // An interpolation or a Unicode escape: the pattern is unknown.
                if text[end + 1] == "(" || text[end + 1] == "u" { return nil }
                end += 1
            }
            end += 1
        }
        return (String(String.UnicodeScalarView(text[start..<min(end, text.count)])), min(end + 1, text.count))
    }

    /// Whether a pattern is followed by nothing but a string of flags, none of which changes the pattern's meaning.
    private func hasKnownFlags(after index: Int) -> Bool {
        let rest = text[min(index, text.count)...].prefix { $0 != ")" }.filter { !$0.properties.isWhitespace }
        if rest.isEmpty { return true }
        let isString = rest.count >= 3 && rest[0] == ";" && rest[1] == "\"" && rest.last == "\""
        return isString && !rest.contains("x") && !rest.contains("\\")
            || String(String.UnicodeScalarView(rest)) == ";null"
    }

    /// Whether the bounds of a slice, or an index, are only number literals.
    private func isPlain(_ slice: Range<Int>) -> Bool {
        text[slice].allSatisfy { "0123456789-: \t\r\n".unicodeScalars.contains($0) }
    }
}

extension JQTokens.Token {
    /// How many times as long as its input a text can be that this operation makes, if the token alone limits that.
    var textGrowth: Double {
        switch self {
        // A control character becomes six bytes.
        case .word("tojson"), .word("tostring"), .sign("@"): 6
        case .replacement(let length): Double(max(1, length))
        case .multiplication(let factor): max(1, factor)
        default: 1
        }
    }

    /// Whether the token makes a text whose length depends on a number, or is the product of two other lengths.
    var multipliesText: Bool { self == .sign("*") || self == .word("join") }

    /// Whether the token makes a text longer, by any factor.
    var lengthensText: Bool { if case .multiplication = self { true } else { multipliesText } }

    /// Whether the token may compare each element of one list with each of another, as the difference of lists does.
    var searchesLists: Bool {
        switch self {
        case .sign("-"), .computedIndex, .word("indices"), .word("index"), .word("rindex"), .word("contains"),
            .word("inside"):
            true
        default: false
        }
    }

    /// Whether the token applies an expression to each element.
    var isIteration: Bool { self == .iteration || self == .word("map") }

    var isRegularExpression: Bool { if case .regularExpression = self { true } else { false } }
}

extension Unicode.Scalar {
    fileprivate var isWordStart: Bool { self == "_" || ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    fileprivate var isWordPart: Bool { isWordStart || ("0"..."9").contains(self) }
    fileprivate var isNumberPart: Bool { ("0"..."9").contains(self) || self == "." }
}
