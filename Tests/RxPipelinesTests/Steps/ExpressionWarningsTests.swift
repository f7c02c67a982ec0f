import RxDiagnostics
import Testing

@testable import RxPipelines

/// What is found in expressions that are valid, but hardly meant.
struct ExpressionWarningsTests {
    /// The warnings about an expression, as `COLUMN MESSAGE`.
    private static func warnings(_ text: String, isCondition: Bool) -> [String] {
        let report = Report()
        let start = SourceLocation(file: "f", line: 1, column: 1)
        ExpressionWarnings.check(LocatedText(text, at: start), isCondition: isCondition, report)
        return report.warnings.list.map { "\($0.location.column) \($0.message)" }
    }

    @Test(
        arguments: [
            (".x = 3", 4), (".x=3", 3), (".ok and .x = 3", 12), (".list | .x = 3", 12), (".a |= 1 | .b = 2", 14),
            // It has no `=` whose result is the output.
            (".x == 3", nil), (".x != 3", nil), (".x <= 3", nil), (".x >= 3", nil), (".x += 3", nil), (".x //= 3", nil),
            (".x |= 3", nil), (".x = 3 | .x > 2", nil), ("def f: .x = 3; f | .x > 2", nil), (#".x == "a = b""#, nil),
            ("any(.list[]; .x == 3) # a = b", nil), ("(.x = 3) | .x > 2", nil), (#"{a: 1} | "\(.b = 1)" == "x""#, nil),
        ] as [(String, Int?)])
    func assignmentInConditionIsFound(expression: String, column: Int?) {
        let expected = column.map {
            "\($0) '=' sets a value, and the result is true for every event; write '==' to compare"
        }
        #expect(Self.warnings(expression, isCondition: true) == [expected].compactMap(\.self))
        #expect(Self.warnings(expression, isCondition: false) == [])
    }

    /// A condition that does not depend on the event.
    @Test(
        arguments: [
            ("false", "1 this is false for every event; write a condition, such as .ok"),
            (" true ", "2 this is true for every event; write a condition, such as .ok"),
            ("null", "1 this is false for every event; write a condition, such as .ok"),
            (#""down""#, #"1 this is true for every event; write a condition, such as .x == "down""#),
            ("0", "1 this is true for every event; write a condition, such as .x == 0"),
            (#""\(.x)""#, nil), (".", nil), (".ok // false", nil), ("nan", nil), ("true, .x", nil), ("now > 5", nil),
        ] as [(String, String?)])
    func constantConditionIsFound(expression: String, warning: String?) {
        #expect(Self.warnings(expression, isCondition: true) == [warning].compactMap(\.self))
        #expect(Self.warnings(expression, isCondition: false) == [])
    }

    @Test(
        arguments: [
            ("$event.sorce", "8 $event has no member 'sorce', so this is null; did you mean 'source'?"),
            (
                #""at \($event.when)""#,
                "14 $event has no member 'when', so this is null; it has source, sequence, time, cause, id, "
                    + "redelivered, replayed"
            ),
            ("$event.source", nil), ("[$event.time, $event.id]", nil), ("$events.x", nil), ("$event", nil),
            ("$event | .x", nil), (#""$event.x""#, nil), ("1 # $event.x", nil),
        ] as [(String, String?)])
    func unknownMemberOfEventIsFound(expression: String, warning: String?) {
        #expect(Self.warnings(expression, isCondition: false) == [warning].compactMap(\.self))
    }

    @Test(
        arguments: [
            ("input", "1 an expression has one input, the event; '.' is its value"),
            ("[.a, inputs]", "6 an expression has one input"), ("map(input)", "5 an expression has one input"),
            (".input", nil), ("{input: 1}", nil), ("{input}", nil), ("{a: 1, input, b: 2}", nil), ("$input", nil),
            (#""input""#, nil), (".inputs", nil), ("input_line_number", nil), ("def input: 1; input", nil),
            ("@input", nil), ("env.PATH", nil), ("$ENV.PATH", nil),
        ] as [(String, String?)])
    func inputsAreFound(expression: String, warning: String?) {
        let found = Self.warnings(expression, isCondition: false)
        guard let warning else { return #expect(found == []) }
        #expect(found.count == 1 && found[0].hasPrefix(warning), "\(found)")
    }

    @Test func membersAreThoseOfTheVariable() {
        let event = PipelineEvent(1, source: "s", sequence: 0, time: 0)
        #expect(PipelineEvent.members.sorted() == (event.binding.object?.members.map(\.key) ?? []).sorted())
    }
}
