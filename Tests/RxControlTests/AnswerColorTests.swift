import RxControl
import Testing

struct AnswerColorTests {
    @Test(
        arguments: [
            ("/etc/rxwatchd/rxwatchd.yaml:5:29: unknown key 'evry'", .bold), ("                  ^", .bold),
            ("/etc/rxwatchd/rxwatchd.yaml:5:29: warning: '=' sets a value", .yellow), ("warning: source logs", .yellow),
            ("  api-down/http: failed 3 s ago: refused", .red), ("FAILED  it-counts", .red),
            ("2 of 14 nodes fail: cert, api", .red), ("1 of 2 nodes fails: p", .red), ("0 of 14 nodes fail", nil),
            ("leak: pipeline p has 3 subscriptions", .red), ("  pipeline p  7  1..2  LEAK", .red),
            ("  pipeline p  7  1..2  ABOVE", .yellow), ("  pipeline p, see above", nil),
            ("1 failed: p", .red), ("pipeline p: running", nil), ("", nil), ("at 10:20: a", nil), ("a:b:c: d", nil),
            ("tick:5: d", nil), ("::1: d", nil),
        ] as [(String, AnswerColor?)])
    func lineHasColor(line: String, color: AnswerColor?) {
        #expect(AnswerColor(of: line) == color)
    }

    @Test func textIsInOneColor() {
        #expect(AnswerColor.yellow.applied(to: "a\nb") == "\u{1B}[33ma\nb\u{1B}[0m")
    }

    @Test func eachLineIsColoredApart() {
        let text = "ok\nFAILED  a\n\nok"
        #expect(
            AnswerColor.shown(text, columns: nil, hasColor: true) == "ok\n\u{1B}[31mFAILED  a\u{1B}[0m\n\nok")
        #expect(AnswerColor.shown(text, columns: nil, hasColor: false) == text)
    }

    /// A line above a caret stays whole; each part of another has its color.
    @Test func longLinesAreBroken() {
        let text = "p failed: one two\n  one two three\n      ^\nshort"
        #expect(
            AnswerColor.shown(text, columns: 12, hasColor: false)
                == "p failed:\n  one two\n  one two three\n      ^\nshort")
        #expect(
            AnswerColor.shown("p failed: one two", columns: 12, hasColor: true)
                == "\u{1B}[31mp failed:\u{1B}[0m\n\u{1B}[31m  one two\u{1B}[0m")
    }
}
