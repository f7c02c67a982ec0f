import ConfigTestSupport
import RxDiagnostics
import Testing

struct DiagnosticTests {
    private func rendered(_ text: String, line: Int, column: Int) -> String {
        let place = SourceLocation(file: "a.yaml", line: line, column: column)
        return "\(Diagnostics([Diagnostic("wrong", at: place)], sources: [SourceText(file: "a.yaml", text: text)]))"
    }

    @Test func showsTheLineAndACaret() {
        #expect(rendered("a: 1\nb: x y\n", line: 2, column: 4) == "a.yaml:2:4: wrong\nb: x y\n   ^")
    }

    @Test func alignsBehindTabsAndWideTexts() {
        #expect(rendered("\ta: x", line: 1, column: 5) == "a.yaml:1:5: wrong\n\ta: x\n\t   ^")
    }

    @Test func pointsBehindTheEndOfALine() {
        #expect(rendered("a:", line: 1, column: 9) == "a.yaml:1:9: wrong\na:\n  ^")
    }

    @Test func cutsALongLine() {
        let line = String(repeating: "a", count: 500) + "X" + String(repeating: "b", count: 500)
        let lines = rendered(line, line: 1, column: 501).split(separator: "\n").map(Array.init)
        #expect(lines[1].count == 162)
        #expect(lines[1][lines[2].count - 1] == "X")
        #expect(lines[2].last == "^")
    }

    @Test func keepsATerminalSafe() {
        #expect(
            rendered("a: \u{1B}[2J\u{202E}", line: 1, column: 4) == "a.yaml:1:4: wrong\na: \u{FFFD}[2J\u{FFFD}\n   ^")
    }

    @Test func showsNoBlankLine() {
        #expect(rendered("", line: 1, column: 1) == "a.yaml:1:1: wrong")
        #expect(rendered("a:\n  \n", line: 2, column: 3) == "a.yaml:2:3: wrong")
    }

    @Test func aPlaceWithoutItsTextIsALineAlone() {
        #expect(rendered("a", line: 7, column: 1) == "a.yaml:7:1: wrong")
        #expect("\(Diagnostics("wrong", at: start))" == "t.yaml:1:1: wrong")
    }

    @Test func aReportIsSortedAndSaysNothingTwice() {
        let report = Report()
        report.know(SourceText(file: "t.yaml", text: ""))
        report.add("late", at: SourceLocation(file: "t.yaml", line: 9, column: 1))
        report.add("other", at: SourceLocation(file: "u.yaml", line: 1, column: 1))
        report.add("right", at: SourceLocation(file: "t.yaml", line: 2, column: 7))
        report.add("left", at: SourceLocation(file: "t.yaml", line: 2, column: 3))
        report.add("late", at: SourceLocation(file: "t.yaml", line: 9, column: 1))
        #expect(report.all.list.map(\.message) == ["left", "right", "late", "other"])
        #expect(report.count == 4)
    }
}
