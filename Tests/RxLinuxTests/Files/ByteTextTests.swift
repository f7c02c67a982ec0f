import TestSupport
import Testing

@testable import RxLinux

/// Names that need not be UTF-8, as texts.
struct ByteTextTests {
    @Test(
        arguments: [
            ([], ""), ([0x61, 0x2F, 0x62], "a/b"), (Array("é".utf8), "é"), (Array("e\u{301}".utf8), "e\u{301}"),
            ([0xFF], "\u{10FEFF}"), ([0x80, 0x61], "\u{10FE80}a"), ([0xC3], "\u{10FEC3}"),
            // Truncated, overlong, a surrogate, beyond the last plane.
            ([0xE2, 0x82], "\u{10FEE2}\u{10FE82}"), ([0xC0, 0xAF], "\u{10FEC0}\u{10FEAF}"),
            ([0xED, 0xA0, 0x80], "\u{10FEED}\u{10FEA0}\u{10FE80}"),
            ([0xF4, 0x90, 0x80, 0x80], "\u{10FEF4}\u{10FE90}\u{10FE80}\u{10FE80}"),
            // The characters that stand for a byte, as a name.
            (Array("\u{10FEFF}".utf8), "\u{10FEF4}\u{10FE8F}\u{10FEBB}\u{10FEBF}"),
            (Array("\u{10FFFF}".utf8), "\u{10FFFF}"),
        ] as [([UInt8], String)])
    func bytesConvertToText(bytes: [UInt8], text: String) {
        #expect(Array(ByteText.text(of: bytes).utf8) == Array(text.utf8))
        #expect(ByteText.bytes(of: text) == bytes)
    }

    @Test func everyNameHasUniqueText() {
        var random = Seeded(UInt64.random(in: 0 ... .max))
        let bytes: [UInt8] = [0x61, 0x80, 0xBF, 0xC3, 0xA9, 0xE2, 0xED, 0xF4, 0x8F, 0xBA, 0xBB, 0xFE, 0xFF]
        for _ in 0..<20_000 {
            let name = (0..<Int.random(in: 0..<9, using: &random)).map { _ in
                bytes.randomElement(using: &random) ?? 0
            }
            let text = ByteText.text(of: name)
            #expect(ByteText.bytes(of: text) == name)
            #expect(BytePath(text: BytePath(bytes: name).text).bytes == name)
        }
    }

    /// The name of another text is its UTF-8.
    @Test(arguments: ["", "plain", "\u{10FFFF}\u{100000}", "日本語", "a\u{0}b"]) func otherTextsConvertToUTF8(text: String)
    {
        #expect(ByteText.bytes(of: text) == Array(text.utf8))
    }
}
