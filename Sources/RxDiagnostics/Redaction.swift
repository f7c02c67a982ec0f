import RxJSON

/// Replaces secrets in texts and values.
struct Redaction {
    /// The texts to search for. Of the same text in two tables, the replacement in the first one counts.
    let tables: [SecretForms]

    /// How many bytes of a text are decoded at once. Decoding takes twenty times as much memory, and the text may be as
    /// large as the memory allows.
    private static let windowSize = 64 << 10
    /// The size of the part of a window that precedes it. Escapes that begin there are decoded as in the whole text,
    /// unless that part is a run of backslashes from its beginning to its end.
    private static let lead = 1 << 10
    /// The most bytes that encode a byte of a secret: `\\u0070` with percent-encoded backslashes, for example.
    private static let maximumBytesOfByte = 24
    /// The size of a text or value from which fewer nested encodings are searched.
    private static let largeSize = 1 << 20

    private typealias Match = (range: Range<Int>, shown: [UInt8])

    /// Returns the text with every secret replaced.
    func redacted(_ text: String) -> String {
        redacted(text, depth: Self.depth(ofSize: text.utf8.count))
    }

    /// Returns the beginning of a text with every secret replaced, also one of which only the beginning is in it.
    func redacted(beginning text: String) -> String {
        redacted(text, depth: Self.depth(ofSize: text.utf8.count), isCut: true)
    }

    /// The number of nested encodings that are searched in texts of this size: each takes four times as long as the one
    /// before, and all are searched in one scheduled action of a component.
    private static func depth(ofSize size: Int) -> Int {
        size < largeSize ? DecodedText.maximumDepth : size < 8 * largeSize ? 2 : 1
    }

    private func redacted(_ text: String, depth: Int, isCut: Bool = false) -> String {
        guard !tables.isEmpty else { return text }
        let bytes = Array(text.utf8)
        let longest = (tables.map(\.longest).max() ?? 0) * Self.maximumBytesOfByte
        let size = max(Self.windowSize, longest)
        var shown: [UInt8]?
        // Everything before this position is in `shown`.
        var index = 0
        for start in stride(from: 0, to: bytes.count, by: size) {
            // What begins in the window ends before `end`.
            let (first, end) = (max(0, start - Self.lead), min(bytes.count, start + size + longest))
            var found = matches(inWindow: Array(bytes[first..<end]), depth, isCut: isCut && end == bytes.count)
            found.sort { ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound) }
            for match in found {
                let (lower, upper) = (match.range.lowerBound + first, match.range.upperBound + first)
                // A match that begins within another is a part of it, or its end is replaced along with it. One that
                // begins after the window is also found in the next one.
                if lower >= index, lower < start + size {
                    var text = shown.take() ?? []
                    text += bytes[index..<lower]
                    text += match.shown
                    shown = text
                    index = upper
                } else if lower < index {
                    index = max(index, upper)
                }
            }
        }
        guard let shown else { return text }
        return String(decoding: shown + bytes[index...], as: UTF8.self)
    }

    /// The matches in a part of a text, as it is and decoded.
    private func matches(inWindow bytes: [UInt8], _ depth: Int, isCut: Bool) -> [Match] {
        var found = matches(in: bytes, isCut: isCut)
        DecodedText.forEach(of: bytes, depth: depth, isCut: isCut) { decoded in
            found += matches(in: decoded.bytes, isCut: isCut).map { match in
                let range = decoded.encoded(match.range)
                // A line break after the match is not part of it.
                let lineBreaks = bytes[range].reversed().prefix { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
                return (range.lowerBound..<range.upperBound - lineBreaks.count, match.shown)
            }
        }
        return found
    }

    private func matches(in bytes: [UInt8], isCut: Bool) -> [Match] {
        tables.flatMap { $0.matches(in: bytes, isCut: isCut) }
    }

    /// Returns the value with every secret replaced, in keys and in texts.
    func redacted(_ value: JSON) -> JSON {
        tables.isEmpty ? value : redacted(value, depth: Self.depth(ofSize: Self.size(of: value)))
    }

    /// The size of the texts in a value, in bytes.
    private static func size(of value: JSON) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .array(let values): values.reduce(0) { $0 + size(of: $1) }
        case .object(let object): object.members.reduce(0) { $0 + $1.key.utf8.count + size(of: $1.value) }
        case .null, .bool, .number: 0
        }
    }

    private func redacted(_ value: JSON, depth: Int) -> JSON {
        switch value {
        case .string(let text): return .string(redacted(text, depth: depth))
        case .array(let values): return .array(values.map { redacted($0, depth: depth) })
        case .object(let object):
            // The set compares keys by their bytes.
            var keys: Set<JSON> = []
            // Two keys that differ in a credential alone become one.
            let members = object.members.map { (redacted($0.key, depth: depth), $0.value) }
                .filter { keys.insert(.string($0.0)).inserted }
            return .object(JSON.Object(uniqueKeysWithValues: members.map { ($0.0, redacted($0.1, depth: depth)) }))
        case .null, .bool, .number: return value
        }
    }
}
