import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import RxPipelines

/// A graph that replaces another.
@Suite(.balanced) struct ReplacingTests {
    /// Runs one configuration for a while, and then another in its place.
    private final class Replacement {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let records: RecordLog
        let lines = Cell<[String]>([])
        private(set) var graph: Graph?

        init(_ config: String) throws {
            records = RecordLog(scheduler)
            graph = try Graph(of: config, on: scheduler, records: records, lines: lines)
            graph?.start { _ in }
        }

        /// - Returns: the resources that are still charged to removed nodes.
        @discardableResult
        func replace(at time: TestTime, by config: String) throws -> [Resources.Account] {
            scheduler.advanceTo(time)
            let previous = try #require(graph)
            let next = try Graph(
                of: config, replacing: previous, on: scheduler, records: records, lines: lines)
            let isDone = Cell(0)
            next.start { [lines] failures in
                for failure in failures { lines.append("\(failure)") }
                next.replace(previous, drain: .zero) { isDone.update { $0 += 1 } }
            }
            scheduler.advanceTo(time)
            #expect(isDone.value == 1)
            let retired = previous.retired(by: next)
            graph = next
            return retired
        }

        func end(at time: TestTime) {
            scheduler.advanceTo(time)
            graph?.dispose()
            graph = nil
            scheduler.start()
        }
    }

    static let before = """
        sources: { tick: { interval: 10s } }
        pipelines: { p: { from: tick, steps: [scan: { seed: 0, next: $state + 1 }], to: [stdout] } }
        """

    /// The changes of a configuration, and the events that follow when it takes over at 25, between two ticks. The
    /// source's last event is a replay then: steps receive it, sinks do not act on it.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let config: String
        let expected: [String]
    }

    static let rows = [
        Row(testDescription: "the same", config: before, expected: ["10 1", "20 2", "30 3", "40 4"]),
        Row(
            testDescription: "the same, laid out otherwise and further down",
            config: """
                # A comment.
                pipelines:
                  p:
                    from: tick
                    steps:
                      - scan:
                          seed: 0
                          next: $state + 1
                    to:
                      - stdout
                sources:
                  tick:
                    interval: 10s
                """,
            expected: ["10 1", "20 2", "30 3", "40 4"]),
        Row(
            testDescription: "another beside it",
            config: before.replacing(
                "pipelines: {", with: "pipelines: { q: { from: tick, steps: [map: .tick], to: [stdout] },"),
            expected: ["10 1", "20 2", "30 3", "30 2", "40 4", "40 3"]),
        Row(
            testDescription: "another sink of the same",
            config: before.replacing("[stdout]", with: "[stdout, stdout]"),
            expected: ["10 1", "20 2", "30 3", "30 3", "40 4", "40 4"]),
        Row(
            testDescription: "other steps",
            config: before.replacing("$state + 1", with: "$state + 100"),
            expected: ["10 1", "20 2", "30 200", "40 300"]),
        Row(
            testDescription: "another source",
            config: before.replacing("interval: 10s", with: "interval: 3s"),
            expected: ["10 1", "20 2", "28 1", "31 2", "34 3", "37 4", "40 5"]),
        Row(
            testDescription: "another pipeline before it",
            config: before.replacing(
                "pipelines: { p: { from: tick",
                with: "pipelines: { odd: { from: tick, steps: [filter: .tick % 2 == 1] }, p: { from: odd"),
            expected: ["10 1", "20 2", "40 2"]),
        Row(
            testDescription: "nothing of it",
            config:
                "sources: { s: { interval: 4s } }\npipelines: { q: { from: s, steps: [map: .tick], to: [stdout] } }",
            expected: ["10 1", "20 2", "29 0", "33 1", "37 2"]),
    ]

    @Test(arguments: rows) func eventsContinueAfterReplacement(row: Row) throws {
        let replacement = try Replacement(Self.before)
        let retired = try replacement.replace(at: 25, by: row.config)
        // While the nodes that were kept are running.
        replacement.scheduler.advanceTo(39)
        #expect(retired.allSatisfy { $0.total == 0 }, "\(retired.map { "\($0.name) \($0.total)" })")
        replacement.end(at: 40)
        #expect(replacement.lines.value == row.expected)
    }

    /// The first subscriber of a shared node starts it, but what it starts is charged to the node.
    @Test func retiredPipelinesLeaveNothing() throws {
        let kept = "sources: { tick: { interval: 10s } }\npipelines:\n  shared: { from: tick, steps: [map: .tick] }\n"
        func config(_ number: Int) -> String {
            kept + """
                  failing: { from: tick, steps: [map: error], onError: { to: failed } }
                  first: { from: shared, steps: [map: "\(number)"], to: [stdout] }
                  failed: { from: onError, steps: [map: "\(number)"], to: [stdout] }
                """
        }
        let replacement = try Replacement(config(0))
        for round in 1...3 {
            let retired = try replacement.replace(at: round * 20 + 5, by: config(round))
            replacement.scheduler.advanceTo(round * 20 + 15)
            #expect(Set(retired.map(\.name)) == ["first", "failed"])
            #expect(retired.map(\.total) == [0, 0], "in round \(round)")
        }
        let retired = try replacement.replace(at: 85, by: kept + "  last: { from: shared, to: [stdout] }\n")
        replacement.scheduler.advanceTo(95)
        #expect(retired.map(\.total) == [0, 0, 0])
        replacement.end(at: 100)
    }

    /// Subscriptions are counted by the source's armed records.
    @Test func keptSourceIsNotRestarted() throws {
        let replacement = try Replacement(Self.before)
        for round in 1...10 {
            try replacement.replace(at: round * 10 + 5, by: Self.rows[round % 5].config)
        }
        replacement.end(at: 200)
        #expect(replacement.records.lines(.source) == ["0 info tick is armed: interval every 10s"])
    }

    @Test func resourceCountIsThatOfFreshStart() throws {
        #if TRACE_RESOURCES
        let fresh = try Replacement(Self.before)
        fresh.scheduler.advanceTo(5)
        let count = Resources.total
        fresh.end(at: 5)
        let replacement = try Replacement(Self.before)
        for round in 1...100 {
            try replacement.replace(at: round * 10 + 5, by: Self.rows[round % Self.rows.count].config)
        }
        try replacement.replace(at: 1015, by: Self.before)
        #expect(Resources.total == count)
        replacement.end(at: 1015)
        #endif
    }

    /// Two components are merged: each continues with its state, and a node that starts from both receives all events.
    @Test func mergedComponentsContinue() throws {
        let apart = """
            sources: { a: { interval: 10s }, b: { interval: 15s } }
            pipelines:
              p: { from: a, steps: [scan: { seed: 0, next: $state + 1 }], to: [stdout] }
              q: { from: b, steps: [scan: { seed: 100, next: $state + 1 }], to: [stdout] }
            """
        let first = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let second = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let schedulers = Cell([first, second])
        let lines = Cell<[String]>([])
        func graph(_ config: String, _ previous: Graph?) throws -> Graph {
            Graph(
                try Plan.read(config.utf8, file: "t.yaml"), replacing: previous, generation: { 1 }, host: .inline(),
                records: RecordLog(first),
                printLine: { line, receipt in
                    lines.append(line)
                    receipt.end(.written)
                },
                makeScheduler: { _ in schedulers.take() })
        }
        var old: Graph? = try graph(apart, nil)
        old?.start { _ in }
        for scheduler in [first, second] { scheduler.advanceTo(20) }
        #expect(lines.value.sorted() == ["1", "101", "2"])
        var new: Graph? = try graph(apart + "\n  both: { combineLatest: [p, q], to: [stdout] }", old)
        #expect(schedulers.value.isEmpty)
        let isArmed = Cell(false)
        new?.start { _ in isArmed.update { $0 = true } }
        #expect(isArmed.value)
        if let old { new?.replace(old, drain: .zero) {} }
        lines.update { $0 = [] }
        for time in 20...31 { for scheduler in [first, second] { scheduler.advanceTo(time) } }
        #expect(lines.value == ["3", "[3,101]", "102", "[3,102]"])
        old = nil
        new?.dispose()
        new = nil
        for scheduler in [first, second] { scheduler.start() }
    }
}

extension String {
    fileprivate func replacing(_ text: String, with other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}

extension Cell<[TestScheduler]> {
    fileprivate func take() -> TestScheduler {
        defer { update { $0.removeFirst() } }
        return value[0]
    }
}
