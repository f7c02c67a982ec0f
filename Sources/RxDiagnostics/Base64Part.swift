/// The base64 characters that depend on given bytes alone, whatever bytes precede and follow them.
///
///     bytes before them      a    a    b    b    b    c  …    three alignments, as three bytes are four characters
///     characters             |---edge---|--only of these--|---edge---|
struct Base64Part {
    let text: [UInt8]
    /// Whether the character before these, or after them, also encodes a few bits of the bytes.
    let edges: (before: Bool, after: Bool)

    /// The parts for each alignment, in the alphabet of base64 and in that for URLs.
    static func all(of bytes: [UInt8]) -> [Base64Part] {
        (0..<3).flatMap { skipped in
            let bits = (start: 8 * skipped, end: 8 * (skipped + bytes.count))
            let values = sextets(
                of: [UInt8](repeating: 0, count: skipped) + bytes + [0], (bits.start + 5) / 6..<bits.end / 6)
            let edges = (before: bits.start % 6 != 0, after: bits.end % 6 != 0)
            let usual = Base64Part(text: values.map { alphabet[$0] }, edges: edges)
            // The last two characters of the alphabet differ in a URL.
            if values.allSatisfy({ $0 < 62 }) { return [usual] }
            return [usual, Base64Part(text: values.map { urlAlphabet[$0] }, edges: edges)]
        }
    }

    private static func sextets(of bytes: [UInt8], _ range: Range<Int>) -> [Int] {
        range.map { number in
            let (byte, bit) = (6 * number / 8, 6 * number % 8)
            let pair = UInt16(bytes[byte]) << 8 | UInt16(bytes[byte + 1])
            return Int(pair >> UInt16(10 - bit)) & 63
        }
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let alphabet = Array((letters + "+/").utf8)
    private static let urlAlphabet = Array((letters + "-_").utf8)
}

extension UInt8 {
    /// Whether the byte is a character of base64, in either alphabet.
    var isBase64: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
