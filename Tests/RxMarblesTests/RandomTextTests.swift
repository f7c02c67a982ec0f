import RxMarbles
import SeededRandom
import Testing

@Suite struct RandomTextTests {
    private static let pieces: [String] =
        "----((()))||##^^!!  abc0123456789smhnu".map { String($0) } + [
            "10ms", " 10s ", " 1h ", "99999999999999999999s", " 1000000h ", "\u{301}", "\u{200D}", "\r\n", "\u{0}",
            "🇩🇪", "👨‍👩‍👧", "\u{1100}\u{1161}", "\u{FEFF}", "é", "\u{10FFFF}", "\"", "\\",
        ]

    /// A text that is read is printed, and reading that gives the same diagram.
    @Test(arguments: 1...200) func randomTextIsReadOrRefused(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let text = (0..<random.below(20)).map { _ in random.pick(Self.pieces) }.joined()
            let frame: Duration = random.pick([.seconds(1), .milliseconds(10), .seconds(60)])
            do {
                let diagram = try MarbleDiagram(text, frame: frame)
                #expect(try MarbleDiagram(diagram.description, frame: frame) == diagram, "\(text.debugDescription)")
            } catch {
                #expect(error.column >= 1 && error.column <= max(1, text.unicodeScalars.count))
            }
            if let subscription = try? MarbleSubscription(text, frame: frame) {
                #expect(try MarbleSubscription(subscription.description, frame: frame) == subscription)
            }
        }
    }
}
