import ConfigTestSupport
import RxDiagnostics
import RxYAML
import SeededRandom
import Testing

/// Files made to exhaust their reader. Each must end in an error soon; the time limit only catches a hang.
@Suite(.timeLimit(.minutes(1)))
struct YAMLHostileTests {
    private func complaint(_ text: String) -> String? {
        complaints { () throws(Diagnostics) in _ = try YAMLReader.read(text, file: "t.yaml") }.first
    }

    @Test func tooLargeFileIsError() {
        let text = String(repeating: "#", count: YAMLReader.maximumSize + 1)
        #expect(complaint(text) == "1:1: the file is too large; a configuration file has up to 1 MiB")
        #expect(complaint(String(text.dropLast())) == nil)
    }

    @Test(arguments: ["[", "{a: ", "- ", "? ", "[[{a: "])
    func tooDeepNestingIsError(opening: String) throws {
        let text = String(repeating: opening, count: 1_000_000 / opening.count)
        #expect(try #require(complaint(text)).contains("nested deeper than 64 levels"))
    }

    @Test func deepestAllowedNestingIsRead() {
        let depth = YAMLReader.maximumDepth
        #expect(complaint(String(repeating: "[", count: depth) + String(repeating: "]", count: depth)) == nil)
    }

    @Test func aliasBombIsError() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...20 {
            text += "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", "))]\n"
        }
        #expect(complaint(text) == "5:45: more than 100000 values, aliases counted in full")
    }

    @Test func excessOfNodesIsError() {
        let text = "[" + String(repeating: "1,", count: 120_000) + "]"
        #expect(complaint(text) == "1:200000: more than 100000 values, aliases counted in full")
    }

    @Test(arguments: [
        "&a ", "*a ", "!x ", "%", "%TAG ! !\n", "\"", "'", "\"\\", "|\n", ">\n", ": ", ", ", "a: ", "--- ", "...\n",
        "a\n", "# \n",
        "&a [*a,", "\u{85}", "\u{2028}", "é", "\r", "\t", "{", "}", "]", "`", "a: b\n", "\"\\u0000\" ", "<<: *a\n",
        "é: é\n ",
    ])
    func repetitionsEnd(piece: String) {
        let text = String(repeating: piece, count: 200_000 / piece.utf8.count)
        _ = complaint(text)
        _ = complaint("a:\n  - [\(text)")
        _ = complaint("a: |2\n" + text)
    }

    @Test func randomBytesNeverCrash() {
        var random = SplitMix64(seed: 7)
        let pieces = Array("[]{},:-?&*!|>'\"%@`#~ \n\n\t ab0\\é\u{2028}\r<")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 1...40, using: &random)).map { _ in pieces.randomElement(using: &random) ?? " " })
            _ = complaint(text)
        }
    }
}
