/// A pattern for names.
///
/// `*` matches any bytes except slashes, `**` any bytes, `?` one byte except a slash, `[a-z]` and `[!a-z]` one byte
/// inside or outside a set, and `\` the next byte itself.
///
/// A pattern without a slash is matched against the name, one with a slash against the path below the watched
/// directory.
public struct Glob: Sendable, Hashable, CustomStringConvertible {
    private let pattern: [UInt8]
    private let isAboutPath: Bool
    private let tokens: [Token]

    /// Parses a pattern.
    public init(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    init(bytes: [UInt8]) {
        isAboutPath = bytes.contains(BytePath.slash)
        pattern = bytes.first == BytePath.slash ? Array(bytes.dropFirst()) : bytes
        tokens = Token.tokens(of: pattern)
    }

    /// The pattern as text.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The pattern, with a leading slash if only that makes it one about paths.
    var bytes: [UInt8] {
        isAboutPath && !pattern.contains(BytePath.slash) ? [BytePath.slash] + pattern : pattern
    }

    /// Whether the pattern matches a file with the name `name` and the path `path` below the watched directory.
    ///
    /// - Complexity: O(*length of the pattern* × *length of the text*) for every pattern.
    func matches(name: some Sequence<UInt8>, path: () -> [UInt8]) -> Bool {
        isAboutPath ? matches(path()) : matches(name)
    }

    /// Simulates the pattern's nondeterministic automaton; `states` has all its current states.
    private func matches(_ text: some Sequence<UInt8>) -> Bool {
        var states = [Bool](repeating: false, count: tokens.count + 1)
        var next = states
        states[0] = true
        skipOptionalTokens(in: &states)
        for byte in text {
            var isAlive = false
            for index in next.indices { next[index] = false }
            for (index, token) in tokens.enumerated() where states[index] && token.takes(byte) {
                next[token.isRepeated ? index : index + 1] = true
                isAlive = true
            }
            if !isAlive { return false }
            skipOptionalTokens(in: &next)
            swap(&states, &next)
        }
        return states[tokens.count]
    }

    private func skipOptionalTokens(in states: inout [Bool]) {
        for (index, token) in tokens.enumerated() where states[index] {
            if token.isRepeated || token == .directories { states[index + 1] = true }
            if token == .directories { states[index + 3] = true }
        }
    }
}

/// A part of a pattern.
private enum Token: Hashable {
    case byte(UInt8)
    /// `?`
    case one
    /// `*`
    case some
    /// `**`
    case anything
    /// A mark before `**` and a slash, which together also match nothing.
    case directories
    case set([ClosedRange<UInt8>], isNegated: Bool)
    /// A `\` at the end of the pattern, which matches nothing.
    case never

    var isRepeated: Bool { self == .some || self == .anything }

    func takes(_ byte: UInt8) -> Bool {
        switch self {
        case .byte(let own): own == byte
        case .one, .some: byte != BytePath.slash
        case .anything: true
        case .set(let ranges, let isNegated):
            byte != BytePath.slash && ranges.contains { $0.contains(byte) } != isNegated
        case .directories, .never: false
        }
    }

    static func tokens(of pattern: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var rest = pattern[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"):
                let stars = rest.prefix { $0 == byte }.count
                rest = rest.dropFirst(stars)
                if stars > 0, rest.first == BytePath.slash { tokens.append(.directories) }
                tokens.append(stars > 0 ? .anything : .some)
            case UInt8(ascii: "?"): tokens.append(.one)
            case UInt8(ascii: "\\"): tokens.append(rest.popFirst().map { .byte($0) } ?? .never)
            case UInt8(ascii: "["): tokens.append(set(&rest) ?? .byte(byte))
            default: tokens.append(.byte(byte))
            }
        }
        return tokens
    }

    /// Parses a set after its opening bracket; `nil` if it has no end, so that the bracket stands for itself.
    private static func set(_ pattern: inout ArraySlice<UInt8>) -> Token? {
        var rest = pattern
        let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
        if isNegated { rest = rest.dropFirst() }
        var ranges: [ClosedRange<UInt8>] = []
        var isFirst = true
        while let low = rest.first, low != UInt8(ascii: "]") || isFirst {
            isFirst = false
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-"), let high = rest.dropFirst().first, high != UInt8(ascii: "]") {
                if low <= high { ranges.append(low...high) }
                rest = rest.dropFirst(2)
            } else {
                ranges.append(low...low)
            }
        }
        guard rest.first == UInt8(ascii: "]") else { return nil }
        pattern = rest.dropFirst()
        return .set(ranges, isNegated: isNegated)
    }
}
