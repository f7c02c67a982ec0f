import TestSupport
import Testing

@testable import rxwatchctl

/// Diagrams that grow while events arrive.
struct LiveMarblesTests {
    /// Lines of a tap: `1.5 tick value 3`, `2 api failed no route`, `3 p state completed`.
    private func diagrams(_ nodes: [String], _ lines: [String], frame: Duration = .seconds(1)) -> LiveMarbles {
        var marbles = LiveMarbles(nodes, frame: frame, start: 100)
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 3).map { String($0) }
            let content = words[2] == "value" || words[2] == "replayed" ? words[3] : "\"\(words[3])\""
            let more = words[2] == "replayed" ? #","replayed":true"# : ""
            let key = words[2] == "replayed" ? "value" : words[2]
            let time = 100 + (Double(words[0]) ?? 0)
            marbles.receive(Array(#"{"time":\#(time),"node":"\#(words[1])","\#(key)":\#(content)\#(more)}"#.utf8))
        }
        return marbles
    }

    @Test(
        arguments: [
            ([], ["a  -", "bb -"]),
            (["0 a value 1", "2 bb value 2"], ["a  1--", "bb --2"]),
            // The same value has the same character, and a value that is not a character a note.
            (["0 a value {}", "1 a value {}", "2 a value [1]"], ["a  aab", "bb ---", "a = {}", "b = [1]"]),
            // A response: its header fields, such as the date, do not count.
            (
                [
                    #"0 a value {"ok":true,"status":200,"headers":{"date":"1"},"body":{"n":1},"timing":{}}"#,
                    #"1 a value {"ok":true,"status":200,"headers":{"date":"2"},"body":{"n":1},"timing":{}}"#,
                    #"2 a value {"ok":true,"status":200,"headers":{},"body":{"n":2},"timing":{}}"#,
                ], ["a  aab", "bb ---", #"a = 200 {"n":1}"#, #"b = 200 {"n":2}"#]
            ),
            (["0 a value 1", "0.5 a value 2", "1 bb value 3"], ["a  (12)-", "bb -   3"]),
            (
                ["0 a value 1", "0 a value 2", "0 a value 3", "0 a value 4", "0 a value 5", "0 a value 50"],
                ["a  (123*)", "bb -"]
            ),
            (["1 a failed no route", "2 a value 1"], ["a  -#1", "bb ---", "# = a failed: no route"]),
            (["0 a state running", "1 a state idle", "2 a state completed"], ["a  ^!|", "bb ---"]),
            (["0 a replayed 1"], ["a  -", "bb -"]),
            // A node that was not known.
            (["1 new value 1"], ["a    --", "bb   --", "new  -1"]),
            // A line that arrives late belongs to its own frame.
            (["3 a value 1", "1 a value 2"], ["a  -2-1", "bb ----"]),
            (["-5 a value 1"], ["a  1", "bb -"]),
        ] as [([String], [String])])
    func diagramsShowEvents(lines: [String], expected: [String]) {
        var marbles = diagrams(["a", "bb"], lines)
        marbles.advance(to: 100)
        let margin = lines.contains { $0.contains("new") } ? 0 : 1
        let shown = marbles.lines(width: 80)
        // The margin is two columns.
        #expect(
            shown.map { line in
                line.contains(" = ") || margin == 0
                    ? line : line.replacing("a   ", with: "a  ").replacing("bb  ", with: "bb ")
            } == expected)
    }

    @Test(arguments: [
        "", "{", "[]", "1", #"{"node":1,"time":2}"#, #"{"node":"a","time":"x","value":1}"#, #"{"node":"a","value":1}"#,
        #"{"node":"a","time":1e300,"value":1}"#, #"{"node":"a","time":-1e300,"value":1}"#, #"{"node":"a","time":100}"#,
    ])
    func unreadableLineDoesNotMatter(line: String) {
        var marbles = LiveMarbles(["a"], frame: .seconds(1), start: 100)
        marbles.receive(Array(line.utf8))
        #expect(marbles.lines(width: 40).count >= 1)
    }

    /// The latest frames are shown, and what they stand for as far as there is room.
    @Test func diagramsFitTheScreen() {
        var marbles = diagrams(["a"], (0..<50).map { "\($0) a value [\($0)]" })
        let lines = marbles.lines(width: 23, height: 4)
        #expect(lines.count == 4 && lines.allSatisfy { $0.count <= 23 })
        #expect(lines.last?.hasSuffix(" = [49]") == true && lines[0].count == 23)
        // A character is free again when no frame that is shown has it.
        marbles.forgetHidden(width: 23)
        marbles.receive(Array(#"{"time":150,"node":"a","value":[50]}"#.utf8))
        #expect(marbles.lines(width: 23).last == "a = [50]")
    }

    @Test func fullLinesAreTaken() {
        var marbles = diagrams(["a"], [])
        var taken: [[String]] = []
        for number in 0..<45 {
            marbles.receive(Array(#"{"time":\#(100 + number),"node":"a","value":\#(number % 10)}"#.utf8))
            if let lines = marbles.takeLines(width: 23) { taken.append(lines) }
        }
        #expect(taken == [["a  01234567890123456789"], ["a  01234567890123456789"]])
        #expect(marbles.lines(width: 23) == ["a  01234"])
    }

    @Test func missingLinesAreCounted() {
        var marbles = diagrams(["a"], [])
        marbles.receive(Array(#"{"time":100,"node":"a","value":1,"dropped":7}"#.utf8))
        #expect(marbles.missing == 7)
    }

    @Test func failuresAndMissingLinesHaveColor() {
        var marbles = diagrams(["1", "a"], [])
        marbles.receive(Array(#"{"time":100,"node":"a","value":1,"dropped":7}"#.utf8))
        marbles.receive(Array(#"{"time":101,"node":"a","failed":"no"}"#.utf8))
        // Whether the line of the missing events is cut or not.
        for width in [23, 200] {
            let colors = marbles.lines(width: width).map(LiveMarbles.color)
            #expect(colors.filter { $0 == .yellow }.count == 1 && colors.filter { $0 == .red }.count == 1)
            #expect(colors.prefix(2).allSatisfy { $0 == nil })
        }
    }
}
