/// Where an expression is evaluated: in this process, or in an evaluator process, whose crash does no harm.
///
/// libjq cannot be stopped inside a builtin, aborts on some slices, and frees values by recursion. The expression's
/// text shows whether it can reach such a case. A wrong guess costs time in one direction and the process in the other,
/// so every expression that is not known to be harmless is evaluated elsewhere.
struct JQPlacement: Sendable, Equatable {
    /// The largest input that is evaluated in this process, in bytes; 0 for none.
    let largestInput: Int

    /// In this process: time and memory are linear in the input.
    static let inProcess = JQPlacement(largestInput: .max)
    /// In this process if the input is small: the cost is worse than linear, but bounded for a small input.
    static let inProcessIfSmall = JQPlacement(largestInput: 16 << 10)
    /// In an evaluator process: time, memory or nesting is unbounded for any input.
    static let evaluator = JQPlacement(largestInput: 0)

    private init(largestInput: Int) {
        self.largestInput = largestInput
    }

    init(of text: String) {
        let tokens = JQTokens(text)
        guard !Self.isUnboundedCombination(tokens.list) else {
            self = .evaluator
            return
        }
        let patterns = Self.largestInputs(ofPatternsIn: tokens.list)
        let sizes = tokens.list.map { Self.of($0).largestInput } + [Self.of(growth: tokens.growth).largestInput]
        self.init(largestInput: (sizes + patterns).min() ?? .max)
    }

    /// Whether operations that are bounded alone are not bounded together: a text that is repeated is as long as a
    /// number in the input says; and with two iterations over a value that a variable holds, something large can be
    /// repeated as often as the product of two lengths.
    private static func isUnboundedCombination(_ tokens: [JQTokens.Token]) -> Bool {
        let repeats = tokens.contains(where: \.multipliesText)
        if repeats, tokens.contains(where: \.isRegularExpression) { return true }
        if tokens.contains(.word("join")), tokens.count(where: \.lengthensText) > 1 { return true }
        // An assignment may lengthen an array to any index.
        let lengthens = tokens.contains(.sign("=")) && tokens.contains(.computedIndex)
        if repeats || lengthens, tokens.count(where: \.searchesLists) > (lengthens ? 1 : 0) { return true }
        return tokens.count(where: \.isIteration) > 1 && tokens.contains(.word("as"))
            && tokens.contains { of($0) != inProcess || $0.multipliesText }
    }

    /// The largest inputs for the regular expressions in texts that other operations have made longer.
    private static func largestInputs(ofPatternsIn tokens: [JQTokens.Token]) -> [Int] {
        let growth = tokens.reduce(1) { $0 * $1.textGrowth }
        return tokens.indices.filter { tokens[$0].isRegularExpression }.map { index in
            let own = index + 1 < tokens.count ? tokens[index + 1] : tokens[index]
            let others = if case .replacement = own { growth / own.textGrowth } else { growth }
            return Int(Double(of(tokens[index]).largestInput) / others)
        }
    }

    /// Returns the placement of an expression that builds a value so many times as large as its input: at most 16 MiB of
    /// text are made of one that `maxBody` admits by default.
    private static func of(growth: Double) -> JQPlacement {
        growth <= 16 ? inProcess : growth <= 1_024 ? inProcessIfSmall : evaluator
    }

    private static func of(_ token: JQTokens.Token) -> JQPlacement {
        switch token {
        case .word(let word):
            proportional.contains(word) ? inProcess : unbounded.contains(word) ? evaluator : inProcessIfSmall
        // Not `==`, `!=`, `<=` and `>=`, which are not assignments.
        case .sign(let sign): "*/%-=@".unicodeScalars.contains(sign) ? inProcessIfSmall : inProcess
        // If the index of an array is itself an array, jq searches for it, element by element.
        case .computedIndex: inProcessIfSmall
        case .computedSlice: evaluator
        case .regularExpression(let pattern): pattern.map(of(pattern:)) ?? evaluator
        case .multiplication: inProcessIfSmall
        case .replacement, .iteration: inProcess
        }
    }

    /// Returns the placement of a regular expression by its number of repetitions.
    ///
    /// A pattern with *q* successive repetitions takes up to *n*^(*q* + 1) / (*q* + 1)! steps for *n* bytes, about 200
    /// million at these sizes. A pattern with repeated groups has no bound.
    private static func of(pattern: String) -> JQPlacement {
        let sizes = [16 << 10, 16 << 10, 1 << 10, 256]
        let marks = zip(" \(pattern)".utf8, pattern.utf8)
        let repetitions = marks.count { before, mark in
            "*+{".utf8.contains(mark) || mark == UInt8(ascii: "?") && before != UInt8(ascii: "(")
        }
        let isNested = [")*", ")+", "){"].contains { pattern.contains($0) }
        if isNested || hasStackedRepetitions(pattern) || hasUnknownGroup(pattern) || hasReference(pattern)
            || !sizes.indices.contains(repetitions)
        {
            return evaluator
        }
        return JQPlacement(largestInput: sizes[repetitions])
    }

    /// Whether a repetition is repeated, as in `a{1,9}{1,9}`. A `?` that makes a repetition lazy is none.
    private static func hasStackedRepetitions(_ pattern: String) -> Bool {
        let bytes = Array(pattern.utf8)
        return bytes.indices.dropFirst().contains { index in
            "*+{".utf8.contains(bytes[index]) && "*+?}".utf8.contains(bytes[index - 1])
                || bytes[index] == UInt8(ascii: "?") && bytes[index - 1] == UInt8(ascii: "?")
        }
    }

    /// Whether a group has a kind that this does not know, such as a condition, a comment or the flag `x`.
    private static func hasUnknownGroup(_ pattern: String) -> Bool {
        pattern.ranges(of: "(?").contains { !(pattern[$0.upperBound...].first.map(":=!<i".contains) ?? false) }
            || pattern.ranges(of: "(?i").contains {
                !pattern[$0.upperBound...].hasPrefix(":") && !pattern[$0.upperBound...].hasPrefix(")")
            }
    }

    /// Whether a digit, or `k` or `g` for a named group, follows a backslash, which a jq string writes as `\\`.
    private static func hasReference(_ pattern: String) -> Bool {
        let bytes = Array(pattern.utf8)
        let backslash = UInt8(ascii: "\\")
        return bytes.indices.dropFirst(2).contains { index in
            bytes[index - 1] == backslash && bytes[index - 2] == backslash
                && (UInt8(ascii: "1")...UInt8(ascii: "9") ~= bytes[index] || "kg".utf8.contains(bytes[index]))
        }
    }

    /// The builtins that loop, or nest to any depth: neither the expression's text nor its input's size bounds them.
    private static let unbounded: Set<String> = [
        "def", "reduce", "foreach", "range", "recurse", "recurse_down", "while", "until", "repeat", "combinations",
        "setpath", "getpath", "delpaths", "fromstream", "implode", "walk",
    ]

    /// The keywords and builtins that take time and memory linear in their input.
    private static let proportional: Set<String> = [
        "if", "then", "elif", "else", "end", "and", "or", "not", "as", "null", "true", "false", "try", "catch", "empty",
        "error", "select", "length", "type", "has", "in", "map", "keys", "any", "all", "arrays", "objects", "strings",
        "numbers", "booleans", "nulls", "values", "scalars", "iterables", "first", "last", "floor", "ceil",
        "round", "startswith", "endswith", "now",
    ]
}
