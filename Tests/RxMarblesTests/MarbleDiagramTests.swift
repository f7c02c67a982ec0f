import RxMarbles
import Testing

@Suite struct MarbleDiagramTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        var frame: Duration = .seconds(1)
        let marks: [String]
        var start = 0
        let end: Int

        var testDescription: String { text.debugDescription }
    }

    static let rows = [
        Row(text: "", marks: [], end: 0),
        Row(text: "---", marks: [], end: 3),
        Row(text: "-a-b-|", marks: ["a@1", "b@3", "|@5"], end: 6),
        Row(text: "abc#", marks: ["a@0", "b@1", "c@2", "#@3"], end: 4),
        Row(text: "-a-b-(cd)-|", marks: ["a@1", "b@3", "c@5", "d@5", "|@7"], end: 8),
        Row(text: "(a|)", marks: ["a@0", "|@0"], end: 1),
        Row(text: "-|--", marks: ["|@1"], end: 4),
        Row(text: "1+é漢…", marks: ["1@0", "+@1", "é@2", "漢@3", "…@4"], end: 5),
        // Spaces and line breaks have no meaning, also in groups.
        Row(text: "  - a\t-\n b ( c d ) ", marks: ["a@1", "b@3", "c@4", "d@4"], end: 5),
        // Frames are counted from `^`.
        Row(text: "-a-^-b|", marks: ["a@-2", "b@2", "|@3"], start: -3, end: 4),
        Row(text: "^a", marks: ["a@1"], end: 2),
        Row(text: "a(^b)", marks: ["a@-1", "b@0"], start: -1, end: 1),
        Row(text: "a|-^-", marks: ["a@-3", "|@-2"], start: -3, end: 2),
        // Times.
        Row(text: "a 10s b", marks: ["a@0", "b@11"], end: 12),
        Row(text: "10s", marks: [], end: 10),
        Row(text: "0s a", marks: ["a@0"], end: 1),
        Row(text: "-a 2m |", frame: .seconds(15), marks: ["a@1", "|@10"], end: 11),
        Row(text: "a 1s b", frame: .milliseconds(250), marks: ["a@0", "b@5"], end: 6),
        Row(text: "a 10ms b", frame: .milliseconds(1), marks: ["a@0", "b@11"], end: 12),
        Row(text: "a 20us b", frame: .microseconds(20), marks: ["a@0", "b@2"], end: 3),
        Row(text: "a 20ns b", frame: .nanoseconds(20), marks: ["a@0", "b@2"], end: 3),
        Row(text: "a 1h b", frame: .seconds(1800), marks: ["a@0", "b@3"], end: 4),
        Row(text: "a 1s b", frame: .seconds(0.1), marks: ["a@0", "b@11"], end: 12),
        // No times, because there are no spaces on both sides, or it is not a unit.
        Row(text: "1s-", marks: ["1@0", "s@1"], end: 3),
        Row(text: "-1s", marks: ["1@1", "s@2"], end: 3),
        Row(text: "10 s", marks: ["1@0", "0@1", "s@2"], end: 3),
        Row(text: "10x", marks: ["1@0", "0@1", "x@2"], end: 3),
    ]

    @Test(arguments: rows) func readsEventsAndFrames(row: Row) throws {
        let diagram = try MarbleDiagram(row.text, frame: row.frame)
        #expect(diagram.marbles.map { "\($0.mark.character)@\($0.frame)" } == row.marks)
        #expect(diagram.start == row.start)
        #expect(diagram.end == row.end)
    }

    @Test(arguments: rows) func printedDiagramCanBeReadAgain(row: Row) throws {
        let diagram = try MarbleDiagram(row.text, frame: row.frame)
        #expect(try MarbleDiagram(diagram.description, frame: row.frame) == diagram)
    }

    static let errors: [(text: String, frame: Duration, error: String)] = [
        ("-a-(bc", .seconds(1), "marbles:4: '(' without ')': close the group"),
        ("-a-bc)", .seconds(1), "marbles:6: ')' without '('"),
        ("-(a(b))", .seconds(1), "marbles:4: '(' in a group: groups are not nested"),
        ("a()", .seconds(1), "marbles:3: a group without events: write '-'"),
        ("(a-b)", .seconds(1), "marbles:3: '-' in a group, whose events are simultaneous: write it outside '(…)'"),
        (
            "(a 10s b)", .seconds(1),
            "marbles:4: '10s' in a group, whose events are simultaneous: write it outside '(…)'"
        ),
        ("|a", .seconds(1), "marbles:2: 'a' after the end, '|': remove one of them"),
        ("#-|", .seconds(1), "marbles:3: '|' after the end, '#': remove one of them"),
        ("(|a)", .seconds(1), "marbles:3: 'a' after the end, '|': remove one of them"),
        ("^-^", .seconds(1), "marbles:3: a second '^': remove one of them"),
        ("-a!", .seconds(1), "marbles:3: '!' in a diagram of events: only a diagram of a subscription has it"),
        ("-\u{7}", .seconds(1), "marbles:2: U+0007 is not a value: name values by a letter, digit or symbol"),
        ("-e\u{301}", .seconds(1), "marbles:3: U+0301 is not a value: name values by a letter, digit or symbol"),
        ("\u{200D}", .seconds(1), "marbles:1: U+200D is not a value: name values by a letter, digit or symbol"),
        ("-a 15s", .seconds(10), "marbles:4: '15s' is not a multiple of the frame, 10s: change one of them"),
        ("1ms", .seconds(1), "marbles:1: '1ms' is not a multiple of the frame, 1s: change one of them"),
        ("a 10ms|", .seconds(1), "marbles:3: '10ms' is not followed by a space: write spaces around a time"),
        ("2000000h", .seconds(1), "marbles:1: the diagram has more than 1000000000 frames: use a longer frame"),
        ("9999999999h", .seconds(1), "marbles:1: the diagram has more than 1000000000 frames: use a longer frame"),
        ("1000000000s -", .seconds(1), "marbles:13: the diagram has more than 1000000000 frames: use a longer frame"),
        ("-99999999999999999999s", .seconds(1), ""),
        ("99999999999999999999s", .seconds(1), "marbles:1: '99999999999999999999s' is too long"),
    ]

    @Test(arguments: errors) func errorIsReportedAtItsColumn(text: String, frame: Duration, message: String) {
        do {
            _ = try MarbleDiagram(text, frame: frame)
            #expect(message.isEmpty)
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test func unknownValueIsReportedAtItsColumn() throws {
        let error = #expect(throws: MarbleError.self) { try MarbleDiagram("-a-b", isKnown: { $0 == "a" }) }
        #expect(error?.column == 4)
        #expect(error?.problem == "no value for 'b': add it to the values, or remove it")
        #expect(try MarbleDiagram("-a", isKnown: { $0 == "a" }).marbles == [Marble(1, .value("a"))])
    }

    @Test(arguments: [
        Duration.zero, .seconds(-1), .nanoseconds(-1), .seconds(Int64.max),
        Duration(secondsComponent: 0, attosecondsComponent: 1),
    ])
    func everyDurationOfFrameIsAccepted(frame: Duration) throws {
        let diagram = try MarbleDiagram(String(repeating: "-", count: 50) + "|", frame: frame)
        #expect(try MarbleDiagram(diagram.description, frame: frame) == diagram)
    }
}
