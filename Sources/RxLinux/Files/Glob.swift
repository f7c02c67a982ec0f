/// A pattern for names: `*` stands for any number of bytes but slashes, `**` for slashes too, `?` for one byte, `[a-z]`
/// and `[!a-z]` for one of some, `\` takes the next byte as it is.
///
/// A pattern without a slash is about the name; one with a slash about the path below the watched directory.
public struct Glob: Sendable, Hashable, CustomStringConvertible {
    private let pattern: [UInt8]
    private let isAboutPath: Bool

    /// The pattern in a text.
    public init(_ text: String) {
        let bytes = Array(text.utf8)
        isAboutPath = bytes.contains(BytePath.slash)
        pattern = bytes.first == BytePath.slash ? Array(bytes.dropFirst()) : bytes
    }

    /// The pattern.
    public var description: String {
        let isPlain = isAboutPath && !pattern.contains(BytePath.slash)
        return (isPlain ? "/" : "") + String(decoding: pattern, as: UTF8.self)
    }

    /// Whether it fits something called `name`, whose path below the watched directory is `path`.
    func matches(name: some Sequence<UInt8>, path: () -> [UInt8]) -> Bool {
        Self.matches(pattern[...], isAboutPath ? path()[...] : Array(name)[...])
    }

    /// Goes back to the last star alone: each star before has done its part once another is reached.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        var (pattern, text) = (pattern, text)
        var star: (pattern: ArraySlice<UInt8>, text: ArraySlice<UInt8>)?
        var wideStar = star
        while true {
            if pattern.starts(with: [0x2A, 0x2A]) {
                pattern = pattern.drop { $0 == 0x2A }
                // `**/` also stands for nothing.
                if pattern.first == BytePath.slash, matches(pattern.dropFirst(), text) { return true }
                (wideStar, star) = ((pattern, text), nil)
                continue
            }
            if pattern.first == 0x2A {
                pattern = pattern.dropFirst()
                star = (pattern, text)
                continue
            }
            if pattern.isEmpty, text.isEmpty { return true }
            if let byte = text.first, let rest = step(pattern, byte) {
                (pattern, text) = (rest, text.dropFirst())
                continue
            }
            if let last = star, let skipped = last.text.first, skipped != BytePath.slash {
                star = (last.pattern, last.text.dropFirst())
                (pattern, text) = (last.pattern, last.text.dropFirst())
            } else if let last = wideStar, !last.text.isEmpty {
                (wideStar, star) = ((last.pattern, last.text.dropFirst()), nil)
                (pattern, text) = (last.pattern, last.text.dropFirst())
            } else {
                return false
            }
        }
    }

    /// What is left of the pattern once it has taken a byte; `nil` where it does not.
    private static func step(_ pattern: ArraySlice<UInt8>, _ byte: UInt8) -> ArraySlice<UInt8>? {
        guard let first = pattern.first else { return nil }
        let rest = pattern.dropFirst()
        switch first {
        case UInt8(ascii: "?"): return byte == BytePath.slash ? nil : rest
        case UInt8(ascii: "\\"): return rest.first == byte ? rest.dropFirst() : nil
        case UInt8(ascii: "["): return set(rest, byte)
        default: return first == byte ? rest : nil
        }
    }

    private static func set(_ pattern: ArraySlice<UInt8>, _ byte: UInt8) -> ArraySlice<UInt8>? {
        let isNegated = pattern.first == UInt8(ascii: "!") || pattern.first == UInt8(ascii: "^")
        var rest = isNegated ? pattern.dropFirst() : pattern
        var isIn = false
        var isFirst = true
        while let low = rest.first, low != UInt8(ascii: "]") || isFirst {
            isFirst = false
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-"), let high = rest.dropFirst().first, high != UInt8(ascii: "]") {
                if low <= byte, byte <= high { isIn = true }
                rest = rest.dropFirst(2)
            } else if low == byte {
                isIn = true
            }
        }
        // Without an end, the bracket is one.
        guard rest.first == UInt8(ascii: "]") else { return byte == UInt8(ascii: "[") ? pattern : nil }
        return isIn != isNegated && byte != BytePath.slash ? rest.dropFirst() : nil
    }
}
