import RxJSON
import SeededRandom
import Testing

@testable import RxJQ

/// If jq reads a value, the package's own reader reads the same.
struct JSONReaderTests {
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\":", "\"\\u00e9\\n\"", "\"\\ud83d\\ude42\"", "\"é\t\"", "null",
        "true", "false", "nan",
        "1", "-0", "0.5", "1e3", "12345678901234567890", "1e999", "01", ".5", " ", "\n",
    ]

    private func readByJQ(_ text: String) -> JSON? {
        let value = JV(parsing: Array(text.utf8))
        return value.isValid ? try? value.json() : nil
    }

    @Test func readerAgreesWithJQ() {
        var random = SplitMix64(seed: 5)
        var read = 0
        for _ in 0..<50_000 {
            let text = (0...random.below(8)).map { _ in random.pick(Self.pieces) }.joined()
            let json = try? JSON(parsing: text)
            #expect(json == readByJQ(text), "\(text)")
            if json != nil { read += 1 }
        }
        #expect(read > 1_000)
    }
}
