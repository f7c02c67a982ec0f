import RxMarbles
import Testing

@Suite struct MarbleComparisonTests {
    static let rows: [(expected: String, received: String, text: String)] = [
        (
            "-a-b-|", "-a--c|",
            """
            expected  -a-b-|
            received  -a--c|
            differs      ^^
            frame 3: expected b, received nothing
            frame 4: expected nothing, received c
            """
        ),
        // A group takes one frame: the other row is padded.
        (
            "-(ab)-|", "-a-b|",
            """
            expected  -(ab)-|
            received  -a   -b|
            differs    ^^^^ ^^
            frame 1: expected a, b, received a
            frame 3: expected completion, received b
            frame 4: expected nothing, received completion
            """
        ),
        // The order within a frame counts.
        (
            "(ab)", "(ba)",
            """
            expected  (ab)
            received  (ba)
            differs   ^^^^
            frame 0: expected a, b, received b, a
            """
        ),
        // A long gap is a time.
        (
            "-a 39s |", "-a 38s |",
            """
            expected  -a 38s -|
            received  -a 38s |
            differs          ^^
            frame 40: expected nothing, received completion
            frame 41: expected completion, received nothing
            """
        ),
        (
            "-a|", "",
            """
            expected  -a|
            received  ---
            differs    ^^
            frame 1: expected a, received nothing
            frame 2: expected completion, received nothing
            """
        ),
        (
            "-a-^-b", "-b",
            """
            expected  a-^-b
            received  --^b-
            differs   ^  ^^
            frame -2: expected a, received nothing
            frame 1: expected nothing, received b
            frame 2: expected b, received nothing
            """
        ),
        (
            "#", "|",
            """
            expected  #
            received  |
            differs   ^
            frame 0: expected an error, received completion
            """
        ),
    ]

    @Test(arguments: rows) func differencesAreMarkedAndListed(expected: String, received: String, text: String) throws {
        let comparison = MarbleComparison(
            expected: try MarbleDiagram(expected).marbles, received: try MarbleDiagram(received).marbles)
        #expect(comparison.description == text)
        #expect(!comparison.isEqual)
    }

    @Test(arguments: rows) func rowsCanBeReadAgain(expected: String, received: String, text: String) throws {
        let (expected, received) = (try MarbleDiagram(expected).marbles, try MarbleDiagram(received).marbles)
        let lines = MarbleComparison(expected: expected, received: received).description.split(separator: "\n")
        #expect(try MarbleDiagram(String(lines[0].dropFirst(8))).marbles == expected)
        #expect(try MarbleDiagram(String(lines[1].dropFirst(8))).marbles == received)
    }

    @Test func equalEventsHaveNoMarkers() throws {
        let marbles = try MarbleDiagram("-a-|").marbles
        let comparison = MarbleComparison(expected: marbles, received: marbles, titles: ("left", "right"))
        #expect(comparison.isEqual)
        #expect(comparison.description == "left     -a-|\nright    -a-|")
    }

    @Test func subscriptionsAreCompared() throws {
        let comparison = MarbleComparison(
            expected: try MarbleSubscription("--^---!").marbles, received: try MarbleSubscription("--^--!").marbles)
        #expect(
            comparison.description == """
                expected  --^---!
                received  --^--!
                differs        ^^
                frame 5: expected nothing, received disposal
                frame 6: expected disposal, received nothing
                """)
        let early = MarbleComparison(
            expected: [], received: MarbleSubscription(subscribe: -2, unsubscribe: 1).marbles,
            time: { "at \(200 + $0)" })
        #expect(
            early.description == """
                expected  ----
                received  ^--!
                differs   ^  ^
                at 198: expected nothing, received subscription
                at 201: expected nothing, received disposal
                """)
    }

    @Test func valuesAndErrorsAreExplained() {
        let expected = [
            Marble(0, .value("a"), detail: "10"), Marble(1, .value("b"), detail: "\"b\""),
            Marble(2, .value("1"), detail: "1"), Marble(3, .error, detail: "timeout"),
        ]
        let received = [
            Marble(0, .value("c"), detail: "two\nlines"), Marble(1, .value("b"), detail: "\"b\""),
            Marble(2, .value("1"), detail: "1"), Marble(3, .error, detail: "refused"),
        ]
        #expect(
            MarbleComparison(expected: expected, received: received).description == """
                expected  ab1#
                received  cb1#
                differs   ^  ^
                frame 0: expected a, received c
                frame 3: expected the error timeout, received the error refused
                a = 10
                c = two\\nlines
                """)
    }

    @Test func longListsAndValuesAreShortened() {
        let expected = (0..<15).map { Marble($0, .value("a"), detail: String(repeating: "x", count: 300)) }
        let lines = MarbleComparison(expected: expected, received: []).description.split(separator: "\n")
        #expect(lines.count == 3 + 10 + 2)
        #expect(lines[13] == "and 5 more differences")
        #expect(lines[14] == "a = \(String(repeating: "x", count: 200))…")
    }
}
