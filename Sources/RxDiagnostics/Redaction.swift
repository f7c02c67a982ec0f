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
    /// The most bytes that encode a byte of a secret: `\\\\u0070` with percent-encoded backslashes, for example.
    private static let mostBytesOfByte = 24

    private typealias Match = (range: Range<Int>, shown: [UInt8])

    /// Returns the text with every secret replaced.
    func redacted(_ text: String) -> String {
        guard !tables.isEmpty else { return text }
        let bytes = Array(text.utf8)
        let longest = (tables.map(\.longest).max() ?? 0) * Self.mostBytesOfByte
        let size = max(Self.windowSize, longest)
        var found: [Match] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            // What begins in the window ends before `end`.
            let (first, end) = (max(0, start - Self.lead), min(bytes.count, start + size + longest))
            found += matches(inWindow: Array(bytes[first..<end])).map {
                ($0.range.lowerBound + first..<$0.range.upperBound + first, $0.shown)
            }
        }
        guard !found.isEmpty else { return text }
        found.sort { ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound) }
        var shown: [UInt8] = []
        var index = 0
        for match in found {
            // A match that begins within another is a part of it, or its end is replaced along with it.
            if match.range.lowerBound >= index {
                shown += bytes[index..<match.range.lowerBound]
                shown += match.shown
            }
            index = max(index, match.range.upperBound)
        }
        return String(decoding: shown + bytes[index...], as: UTF8.self)
    }

    /// The matches in a part of a text, as it is and decoded.
    private func matches(inWindow bytes: [UInt8]) -> [Match] {
        var found = matches(in: bytes)
        DecodedText.forEach(of: bytes) { decoded in
            found += matches(in: decoded.bytes).map { match in
                let range = decoded.encoded(match.range)
                // A line break after the match is no part of it.
                let lineBreaks = bytes[range].reversed().prefix { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
                return (range.lowerBound..<range.upperBound - lineBreaks.count, match.shown)
            }
        }
        return found
    }

    private func matches(in bytes: [UInt8]) -> [Match] {
        tables.flatMap { $0.matches(in: bytes) }
    }

    /// Returns the value with every secret replaced, in keys and in texts.
    func redacted(_ value: JSON) -> JSON {
        guard !tables.isEmpty else { return value }
        switch value {
        case .string(let text): return .string(redacted(text))
        case .array(let values): return .array(values.map(redacted))
        case .object(let object):
            // The set compares keys by their bytes.
            var keys: Set<JSON> = []
            // Two keys that differ in a credential alone become one.
            let members = object.members.map { (redacted($0.key), $0.value) }
                .filter { keys.insert(.string($0.0)).inserted }
            return .object(JSON.Object(uniqueKeysWithValues: members.map { ($0.0, redacted($0.1)) }))
        case .null, .bool, .number: return value
        }
    }
}
