import Testing

@testable import RxEngineSections

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("cron.service", 12), ("", 0), ("Köln", 4), ("Ko\u{308}ln", 4), ("日本", 4), ("한국", 4), ("🚀", 2), ("Ｆ", 2),
        ("é", 1),
        ("\u{1F1EA}\u{1F1FA}", 2), ("…", 1),
    ])
    func widthOf(_ text: String, is width: Int) {
        let measured = TerminalText(text, limit: 80)
        #expect(measured.text == text)
        #expect(measured.width == width)
    }

    @Test(arguments: [
        ("a\u{1B}[2Jb", "a\u{FFFD}[2Jb"), ("a\nb\tc\r\n", "a b c  "), ("a\u{9B}1m", "a\u{FFFD}1m"),
        ("\u{0}", "\u{FFFD}"),
        ("\u{7F}", "\u{FFFD}"), ("a\u{2028}b", "a b"), ("x\u{E000}", "x\u{FFFD}"), ("abc\u{202E}def", "abcdef"),
        ("❤\u{FE0F}", "❤"), ("👩\u{200D}🚀", "👩🚀"), ("👍\u{1F3FD}", "👍"), ("\u{301}a", "a"),
        ("a" + String(repeating: "\u{301}", count: 100), "a" + String(repeating: "\u{301}", count: 4)),
    ])
    func textThatControlsATerminalIsReplaced(_ text: String, shown: String) {
        #expect(Array(TerminalText(text, limit: 80).text.unicodeScalars) == Array(shown.unicodeScalars))
    }

    @Test(arguments: [
        ("cron.service", 12, "cron.service", 12), ("cron.service", 11, "cron.servi…", 11), ("cron", 1, "…", 1),
        ("c", 1, "c", 1), ("cron", 0, "", 0), ("日本語", 6, "日本語", 6), ("日本語", 5, "日本…", 5), ("日本語", 4, "日…", 3),
        ("日本語", 1, "…", 1), ("ae\u{301}bc", 3, "ae\u{301}…", 3), ("abe\u{301}", 3, "abe\u{301}", 3),
    ])
    func textIsCut(_ text: String, to limit: Int, shown: String, width: Int) {
        let cut = TerminalText(text, limit: limit)
        #expect(cut.text == shown)
        #expect(cut.width == width)
    }

    @Test func textIsFittedToColumns() {
        #expect(TerminalText("日本語", limit: 80).fitted(to: 8, false) == "日本語  ")
        #expect(TerminalText("日本語", limit: 80).fitted(to: 8, true) == "  日本語")
        #expect(TerminalText("日本語", limit: 80).fitted(to: 4, false) == "日… ")
        #expect(TerminalText("abc", limit: 80).fitted(to: 0, false) == "")
    }
}
