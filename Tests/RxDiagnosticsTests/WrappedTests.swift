import RxDiagnostics
import Testing

struct WrappedTests {
    @Test(
        arguments: [
            ("", 10, [""]), ("short", 10, ["short"]), ("exactly te", 10, ["exactly te"]),
            ("exactly te ", 10, ["exactly te"]), ("exactly te n", 10, ["exactly te", "  n"]),
            ("one two three", 10, ["one two", "  three"]),
            ("  one two three", 10, ["  one two", "    three"]), ("abcdefghijklm", 10, ["abcdefghij", "  klm"]),
            // Indented further than a line has room for.
            ("        one two three", 10, ["        one two three"]),
        ] as [(String, Int, [String])])
    func textIsBrokenAtSpaces(text: String, width: Int, lines: [String]) {
        #expect(text.wrapped(toColumns: width) == lines)
    }

    /// A message may quote a text of any length.
    @Test(.timeLimit(.minutes(1))) func longTextIsBrokenInLinearTime() {
        let lines = String(repeating: "x", count: 1 << 20).wrapped(toColumns: 80)
        #expect(lines.count == 1 + ((1 << 20) - 80 + 77) / 78)
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test(arguments: [(4, "a\nb\n\nc"), (3, "a\nb\n… and 2 more lines"), (1, "… and 4 more lines"), (0, "a\nb\n\nc")])
    func linesAreCut(maximum: Int, shown: String) {
        #expect("a\nb\n\nc".cut(toLines: maximum) == shown)
    }

    @Test func textIsCut() {
        #expect("abcdef".cut(toColumns: 6) == "abcdef" && "abcdef".cut(toColumns: 4) == "abc…")
        #expect("abcdef".cut(toColumns: 1) == "…" && "".cut(toColumns: 0) == "")
        #expect("abcdefghij".cutInside(toColumns: 10) == "abcdefghij")
        #expect("abcdefghij".cutInside(toColumns: 7) == "abc…hij" && "abcdefghij".cutInside(toColumns: 6) == "abc…ij")
        #expect("abcdefghij".cutInside(toColumns: 2) == "a…")
    }
}
