/// A text with its escapes decoded, which maps each of its bytes to its position in the encoded text.
///
/// A malformed escape stays as it is, so that any mixture of encoded and plain characters is decoded.
struct DecodedText {
    private(set) var bytes: [UInt8] = []
    /// The position of each byte in the encoded text, followed by the end of that text. A text is shorter than 4 GiB.
    private var starts: [UInt32] = []

    /// The maximum number of nested encodings: JSON in JSON, or an address in JSON.
    static let maximumDepth = 3

    /// An encoding in which a credential may appear in a text.
    private enum Encoding: CaseIterable {
        /// `%2F`.
        case percent
        /// `%2F`, and a plus sign for a space.
        case form
        /// `\"`, `\u0022`.
        case json
        /// Line breaks, as in base64 with lines of 76 characters.
        case lines

        /// A byte that every encoded text contains, such as `%`.
        var mark: UInt8 {
            switch self {
            case .percent: UInt8(ascii: "%")
            case .form: UInt8(ascii: "+")
            case .json: UInt8(ascii: "\\")
            case .lines: UInt8(ascii: "\n")
            }
        }
    }

    /// Calls `body` with the text decoded in each way that changes it, one after the other: with three nested encodings
    /// there are up to 84, of which three are in memory at once.
    ///
    /// - Parameter isCut: whether the text may end within an escape, which is then left out.
    static func forEach(
        of text: [UInt8], depth: Int = maximumDepth, isCut: Bool = false, _ body: (DecodedText) -> Void
    ) {
        let itself = DecodedText(bytes: text, starts: Array(0...UInt32(clamping: text.count)))
        itself.forEach(depth: depth, isCut: isCut, body)
    }

    private func forEach(depth: Int, isCut: Bool, _ body: (DecodedText) -> Void) {
        guard depth > 0 else { return }
        for encoding in Encoding.allCases {
            guard let decoded = decoded(encoding, isCut: isCut) else { continue }
            body(decoded)
            decoded.forEach(depth: depth - 1, isCut: isCut, body)
        }
    }

    /// The range in the encoded text of a range of the decoded one.
    func encoded(_ range: Range<Int>) -> Range<Int> {
        Int(starts[range.lowerBound])..<Int(starts[range.upperBound])
    }

    /// Returns `nil` if the text has no escape of this encoding.
    private func decoded(_ encoding: Encoding, isCut: Bool) -> DecodedText? {
        guard bytes.contains(encoding.mark) else { return nil }
        var decoded = DecodedText()
        decoded.bytes.reserveCapacity(bytes.count)
        decoded.starts.reserveCapacity(bytes.count + 1)
        var index = 0
        while index < bytes.count {
            if let (meaning, length) = meaning(at: index, encoding) {
                for byte in meaning { decoded.append(byte, starts[index]) }
                index += length
            } else if isCut, isIncompleteEscape(at: index, encoding) {
                break
            } else {
                decoded.append(bytes[index], starts[index])
                index += 1
            }
        }
        decoded.starts.append(starts[bytes.count])
        return decoded.bytes.count == bytes.count && decoded.bytes == bytes ? nil : decoded
    }

    private mutating func append(_ byte: UInt8, _ start: UInt32) {
        bytes.append(byte)
        starts.append(start)
    }

    /// Returns the meaning of the escape that begins at a position, and the escape's length; `nil` if none does.
    private func meaning(at index: Int, _ encoding: Encoding) -> (bytes: [UInt8], length: Int)? {
        switch (encoding, bytes[index]) {
        case (.lines, UInt8(ascii: "\n")), (.lines, UInt8(ascii: "\r")): ([], 1)
        case (.form, UInt8(ascii: "+")): ([UInt8(ascii: " ")], 1)
        case (.form, UInt8(ascii: "%")), (.percent, UInt8(ascii: "%")):
            hexadecimal(at: index + 1, digits: 2).map { ([UInt8($0)], 3) }
        case (.json, UInt8(ascii: "\\")): index + 1 < bytes.count ? meaning(ofJSONAt: index) : nil
        default: nil
        }
    }

    /// Whether all bytes from this position on may be the beginning of an escape.
    private func isIncompleteEscape(at index: Int, _ encoding: Encoding) -> Bool {
        func isHexadecimal(from start: Int, fewerThan count: Int) -> Bool {
            bytes.count - start < count
                && bytes[start...].allSatisfy { Character(Unicode.Scalar($0)).hexDigitValue != nil }
        }
        switch (encoding, bytes[index]) {
        case (.percent, UInt8(ascii: "%")), (.form, UInt8(ascii: "%")):
            return isHexadecimal(from: index + 1, fewerThan: 2)
        case (.json, UInt8(ascii: "\\")):
            guard index + 1 < bytes.count else { return true }
            guard bytes[index + 1] == UInt8(ascii: "u") else { return false }
            // The second escape of a surrogate pair may be cut, too.
            if let first = hexadecimal(at: index + 2, digits: 4), (0xD800..<0xDC00).contains(first) {
                return index + 6 == bytes.count || isIncompleteEscape(at: index + 6, encoding)
            }
            return isHexadecimal(from: index + 2, fewerThan: 4)
        default: return false
        }
    }

    private func meaning(ofJSONAt index: Int) -> (bytes: [UInt8], length: Int)? {
        switch bytes[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return ([bytes[index + 1]], 2)
        case UInt8(ascii: "b"): return ([8], 2)
        case UInt8(ascii: "f"): return ([12], 2)
        case UInt8(ascii: "n"): return ([10], 2)
        case UInt8(ascii: "r"): return ([13], 2)
        case UInt8(ascii: "t"): return ([9], 2)
        case UInt8(ascii: "u"): return unicode(at: index)
        default: return nil
        }
    }

    /// Decodes `\u00E9`, or two such escapes that are a surrogate pair.
    private func unicode(at index: Int) -> (bytes: [UInt8], length: Int)? {
        guard let first = hexadecimal(at: index + 2, digits: 4) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (Array(String(Character(scalar)).utf8), 6) }
        guard index + 7 < bytes.count, bytes[index + 6] == bytes[index], bytes[index + 7] == UInt8(ascii: "u"),
            let second = hexadecimal(at: index + 8, digits: 4), (0xD800..<0xDC00).contains(first),
            (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { return nil }
        return (Array(String(Character(scalar)).utf8), 12)
    }

    private func hexadecimal(at index: Int, digits: Int) -> UInt32? {
        guard index + digits <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[index..<index + digits] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
