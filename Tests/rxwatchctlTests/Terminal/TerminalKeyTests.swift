import Testing

@testable import rxwatchctl

struct TerminalKeyTests {
    @Test(
        arguments: [
            ("q", [.character("q")]),
            ("\u{1B}[A\u{1B}OB", [.up, .down]),
            ("\u{1B}[5~\u{1B}[6~\u{1B}[1~\u{1B}[F", [.pageUp, .pageDown, .home, .end]),
            ("\u{1B}", [.escape]),
            ("\u{1B}\u{1B}", [.escape, .escape]),
            ("\r\n\u{7F}\u{8}", [.enter, .enter, .backspace, .backspace]),
            ("\u{3}", [.interrupt]),
            ("aé€😀b", [.character("a"), .character("é"), .character("€"), .character("😀"), .character("b")]),
            // Keys without a meaning here, and codes that do not end.
            ("\u{1B}[15~\u{1B}[1;5C", []),
            ("\u{0}\u{1}x", [.character("x")]),
        ] as [(String, [TerminalKey])])
    func bytesAreKeys(text: String, keys: [TerminalKey]) {
        let bytes = Array(text.utf8)
        #expect(read([bytes]) == keys)
        // In two blocks, wherever the second begins.
        for place in bytes.indices {
            #expect(read([Array(bytes[..<place]), Array(bytes[place...])]) == keys, "\(place)")
        }
    }

    @Test func bytesThatAreNotTextAreIgnored() {
        #expect(read([[0xFF, 0xC3, UInt8(ascii: "a")]]) == [.character("a")])
        for byte in 0...255 as ClosedRange<UInt8> { _ = read([[0x1B, byte, byte]]) }
    }

    /// The keys of blocks of bytes, and of what is left when nothing follows.
    private func read(_ blocks: [[UInt8]]) -> [TerminalKey] {
        var (rest, keys) = ([UInt8](), [TerminalKey]())
        for block in blocks {
            rest += block
            keys += TerminalKey.keys(taking: &rest)
        }
        return keys + [TerminalKey.key(of: rest)].compactMap(\.self)
    }
}
