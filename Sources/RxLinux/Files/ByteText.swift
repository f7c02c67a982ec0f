/// A reversible conversion of bytes in no particular encoding to text.
///
/// A file name need not be UTF-8, but the daemon handles names as texts. A byte that is not UTF-8 becomes an unused
/// character, U+10FE80 for 0x80 to U+10FEFF for 0xFF. The four bytes of such a character itself are converted in the
/// same way, so that different bytes always have different texts. In JSON the character is escaped, and ends with the
/// byte: `\udbff\udeff`.
public enum ByteText {
    /// The first three bytes of those characters in UTF-8, with and without bit 6 of the byte.
    private static let marks: [[UInt8]] = [[0xF4, 0x8F, 0xBA], [0xF4, 0x8F, 0xBB]]

    /// Returns the text of these bytes.
    public static func text(of bytes: [UInt8]) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.first {
            let length = lengthOfCharacter(rest)
            if length == 0 || isMark(rest) {
                text += marks[byte < 0xC0 ? 0 : 1]
                text.append(0x80 | byte & 0x3F)
                rest = rest.dropFirst()
            } else {
                text += rest.prefix(length)
                rest = rest.dropFirst(length)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes that ``text(of:)`` has converted to a text; for any other text, its UTF-8.
    public static func bytes(of text: some StringProtocol) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.contains(0xF4) else { return bytes }
        var found: [UInt8] = []
        found.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == 0xF4, isMark([byte] + rest.prefix(3)), let last = rest.dropFirst(2).first {
                found.append((rest.dropFirst().first == 0xBA ? 0x80 : 0xC0) | last & 0x3F)
                rest = rest.dropFirst(3)
            } else {
                found.append(byte)
            }
        }
        return found
    }

    private static func isMark(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count >= 4 && marks.contains { bytes.starts(with: $0) }
            && bytes.dropFirst(3).first.map { $0 & 0xC0 } == 0x80
    }

    /// Returns the number of bytes of the first character; 0 if it is not UTF-8.
    private static func lengthOfCharacter(_ bytes: ArraySlice<UInt8>) -> Int {
        var decoder = UTF8.ForwardParser()
        var iterator = bytes.prefix(4).makeIterator()
        guard case .valid(let scalar) = decoder.parseScalar(from: &iterator) else { return 0 }
        return scalar.count
    }
}

extension BytePath {
    /// Creates a path from its ``text``.
    public init(text: String) {
        self.init(bytes: ByteText.bytes(of: text))
    }

    /// The path as a text that is different for each path; see ``ByteText``.
    public var text: String { ByteText.text(of: bytes) }
}
