import RxEngineTest
import TestSupport
import Testing

@testable import RxPipelines

struct SinkTests {
    private let records = RecordLog(TestScheduler(initialClock: 0))
    private let lines = Box<[String]>([])

    /// Gives an event to the sink that `config` says.
    private func give(_ value: JSON, to config: String) throws {
        let report = Report()
        let sink = try Registry.sinks.type.read(yaml(config), report)
        try report.throwIfAny()
        let event = PipelineEvent(value, source: "tick", sequence: 9, time: 1.5)
        let surroundings = SinkSurroundings(
            pipeline: "p", currentGeneration: { 2 }, records: records, printLine: { [lines] in lines.append($0) })
        try sink?.kind.take(event, surroundings)
    }

    @Test(arguments: [
        ("journal", "0 info {\"a\":[1,null]}"),
        ("journal:", "0 info {\"a\":[1,null]}"),
        ("journal: {}", "0 info {\"a\":[1,null]}"),
        ("journal: ''", "0 info "),
        ("journal: changed", "0 info changed"),
        ("journal: 5", "0 info 5"),
        ("journal: 'a is {{.a}}, {{.a[]}}'", "0 info a is [1,null], 1 null"),
        ("journal: { message: '{{.a[0]}}' }", "0 info 1"),
        ("journal: { priority: crit }", "0 crit {\"a\":[1,null]}"),
        ("journal: { priority: debug, message: '{{$event.cause}}' }", "0 debug tick:9"),
        (
            "journal: '{{$event}}'",
            #"0 info {"source":"tick","sequence":9,"time":1.5,"cause":"tick:9"}"#
        ),
    ])
    func theJournalGetsARecord(config: String, line: String) throws {
        try give(["a": [1, .null]], to: config)
        #expect(records.lines() == [line] && lines.value == [])
        #expect(records.all(.event).first?[.sink] == "journal")
    }

    @Test(arguments: Priority.allCases) func everyPriorityCanBeChosen(priority: Priority) throws {
        try give("x", to: "journal: { priority: \(priority.rawValue) }")
        #expect(records.all(.event).map(\.priority) == [priority])
    }

    @Test func aTemplateThatFailsIsTheSinksFailure() {
        #expect(throws: JQError("no")) { try give("x", to: #"journal: '{{error("no")}}'"#) }
        #expect(records.lines() == [])
    }

    @Test(
        arguments: [
            (.null, "null"), ("a\nb", #""a\nb""#), (["b": 1, "a": true], #"{"b":1,"a":true}"#), (0.5, "0.5"),
        ] as [(JSON, String)])
    func standardOutputGetsALineOfJSON(value: JSON, line: String) throws {
        try give(value, to: "stdout")
        #expect(lines.value == [line] && records.lines() == [])
    }
}
