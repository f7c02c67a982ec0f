import ConfigTestSupport
import RxDiagnostics
import Testing

struct DiagnosticTests {
    private func rendered(_ text: String, line: Int, column: Int) -> String {
        let place = SourceLocation(file: "a.yaml", line: line, column: column)
        return "\(Diagnostics([Diagnostic("wrong", at: place)], sources: [SourceText(file: "a.yaml", text: text)]))"
    }

    @Test func lineAndCaretAreShown() {
        #expect(rendered("a: 1\nb: x y\n", line: 2, column: 4) == "a.yaml:2:4: wrong\nb: x y\n   ^")
        #expect(rendered("a: 1\n\nb: x y\n", line: 3, column: 4) == "a.yaml:3:4: wrong\nb: x y\n   ^")
    }

    @Test func caretIsAlignedAfterTabsAndWideCharacters() {
        #expect(rendered("\ta: x", line: 1, column: 5) == "a.yaml:1:5: wrong\n\ta: x\n\t   ^")
    }

    @Test func caretMayPointAfterEndOfLine() {
        #expect(rendered("a:", line: 1, column: 9) == "a.yaml:1:9: wrong\na:\n  ^")
    }

    @Test func longLineIsTruncated() {
        let line = String(repeating: "a", count: 500) + "X" + String(repeating: "b", count: 500)
        let lines = rendered(line, line: 1, column: 501).split(separator: "\n").map(Array.init)
        #expect(lines[1].count == 162)
        #expect(lines[1][lines[2].count - 1] == "X")
        #expect(lines[2].last == "^")
    }

    @Test func controlCharactersAreEscaped() {
        #expect(
            rendered("a: \u{1B}[2J\u{202E}", line: 1, column: 4) == "a.yaml:1:4: wrong\na: \u{FFFD}[2J\u{FFFD}\n   ^")
    }

    @Test func blankLineIsNotShown() {
        #expect(rendered("", line: 1, column: 1) == "a.yaml:1:1: wrong")
        #expect(rendered("a:\n  \n", line: 2, column: 3) == "a.yaml:2:3: wrong")
    }

    @Test func placeWithoutTextIsOneLine() {
        #expect(rendered("a", line: 7, column: 1) == "a.yaml:7:1: wrong")
        #expect("\(Diagnostics("wrong", at: start))" == "t.yaml:1:1: wrong")
    }

    @Test func reportIsSortedWithoutDuplicates() {
        let report = Report()
        report.addSource(SourceText(file: "t.yaml", text: ""))
        report.add("late", at: SourceLocation(file: "t.yaml", line: 9, column: 1))
        report.add("other", at: SourceLocation(file: "u.yaml", line: 1, column: 1))
        report.add("right", at: SourceLocation(file: "t.yaml", line: 2, column: 7))
        report.add("left", at: SourceLocation(file: "t.yaml", line: 2, column: 3))
        report.add("late", at: SourceLocation(file: "t.yaml", line: 9, column: 1))
        #expect(report.all.list.map(\.message) == ["left", "right", "late", "other"])
        #expect(report.count == 4)
    }
}
