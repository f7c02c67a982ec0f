import RxEngine
import RxEngineTest
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// Events that a process has not settled are redelivered by the next process.
@Suite(.balanced) struct RedeliveryTests {
    private let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    private let lines = Cell<[String]>([])
    private let progress = Cell<[String]>([])

    private func graph(_ config: String, _ events: [UnsettledEvent], _ previous: Graph? = nil) throws -> Graph {
        try Graph(
            of: config, replacing: previous, on: scheduler, lines: lines, redelivered: events,
            onProgress: { [progress] in progress.append("\($0.event.id) \($0.progress.done.keys.sorted())") })
    }

    private static func event(
        _ number: UInt64, _ value: JSON, of source: String = "tick", done: [String: Set<Int>] = [:], order: Int = 0
    ) -> UnsettledEvent {
        UnsettledEvent(
            SourceEvent(source, run: "r", sequence: number, time: 5, isRedelivered: true), value,
            SinkProgress(done: done), order: order)
    }

    /// Events of several sources keep their order of arrival, whatever the clock said.
    @Test func redeliveryKeepsOrderBetweenSources() throws {
        let config = """
            sources: { a: { interval: { every: 10s, delay: 0s } }, b: { interval: { every: 10s, delay: 0s } } }
            pipelines: { p: { merge: [b, a], steps: [map: $event.id, delay: 5s], to: [stdout] } }
            """
        let events = [("b", 3), ("a", 5), ("b", 7), ("b", 8), ("a", 9)].map { source, number in
            Self.event(UInt64(20 - number), .null, of: source, order: number)
        }
        var graph: Graph? = try graph(config, events)
        graph?.start { _ in }
        scheduler.advanceTo(1)
        let saved = try #require(graph?.snapshot.events).sorted { $0.order < $1.order }
        #expect(saved.map(\.event.id) == events.map(\.event.id) + ["b:0:0", "a:0:0"])
        #expect(saved.map(\.order) == Array(1...7))
        scheduler.advanceTo(9)
        #expect(lines.value == saved.map { "5 \"\($0.event.id)\"" })
        graph?.dispose()
        graph = nil
        scheduler.start()
    }

    /// They are redelivered before new events, to every pipeline, under the same IDs.
    @Test func unsettledEventsAreRedelivered() throws {
        var graph: Graph? = try graph(
            """
            sources: { tick: { interval: { every: 10s, delay: 0s } } }
            pipelines:
              p: { from: tick, steps: [map: '[.tick, $event.id, $event.redelivered]'], to: [stdout] }
              q: { from: tick, steps: [map: .tick, delay: 5s], to: [stdout] }
            """, [Self.event(7, ["tick": "a"]), Self.event(8, ["tick": "b"])])
        #expect(graph?.unsettledCount == 2)
        graph?.start { _ in }
        scheduler.advanceTo(4)
        #expect(
            lines.value == [
                #"0 ["a","tick:r:7",true]"#, #"0 ["b","tick:r:8",true]"#, #"0 [0,"tick:0:0",false]"#,
            ])
        #expect(progress.value == [#"tick:r:7 ["p/stdout"]"#, #"tick:r:8 ["p/stdout"]"#])
        #expect(graph?.unsettledCount == 3)
        scheduler.advanceTo(9)
        #expect(lines.value.suffix(3) == [#"5 "a""#, #"5 "b""#, "5 0"])
        #expect(
            progress.value.suffix(2) == [
                #"tick:r:7 ["p/stdout", "q/stdout"]"#, #"tick:r:8 ["p/stdout", "q/stdout"]"#,
            ])
        #expect(graph?.unsettledCount == 0)
        graph?.dispose()
        graph = nil
        scheduler.start()
    }

    /// A sink that finished an event does not act on it again; the other sinks do.
    @Test func sinksDoNotRepeatFinishedEvents() throws {
        var graph: Graph? = try graph(
            """
            sources: { tick: { interval: { every: 10s } } }
            pipelines:
              p: { from: tick, steps: [map: '"p \\(.)"'], to: [stdout, stdout] }
              q: { from: tick, steps: [map: '"q \\(.)"'], to: [stdout] }
            """,
            [
                Self.event(1, "x", done: ["p/stdout": [0], "q/stdout": [0]]),
                Self.event(2, "y", done: ["p/stdout-2": [0]]),
            ])
        graph?.start { _ in }
        scheduler.advanceTo(4)
        #expect(lines.value == [#"0 "p x""#, #"0 "p y""#, #"0 "q y""#])
        graph?.dispose()
        graph = nil
        scheduler.start()
    }

    /// Unsettled events are stored with the progress of the sinks. Cancelling work does not settle its event.
    @Test func cancelledEventsAreUnsettled() throws {
        var graph: Graph? = try graph(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              p: { from: tick, to: [stdout] }
              q: { from: tick, steps: [delay: 15s], to: [stdout] }
            """, [])
        graph?.start { _ in }
        scheduler.advanceTo(22)
        graph?.close()
        scheduler.advanceTo(24)
        #expect(graph?.isAtRest == true)
        graph?.freeze()
        graph?.dispose()
        let left = graph?.unsettled ?? []
        #expect(left.map(\.event.id) == ["tick:0:0", "tick:0:1"])
        #expect(left.map(\.progress.done) == [["p/stdout": [0]], ["p/stdout": [0]]])
        graph = nil
        scheduler.start()
    }

    /// A timer that fires while the daemon stops: the event is pending in the last snapshot, and is redelivered.
    @Test func sinksTakeNothingAfterLastSnapshot() throws {
        var graph: Graph? = try graph(
            """
            sources: { tick: { interval: 10s } }
            pipelines: { p: { from: tick, steps: [delay: 15s], to: [stdout] } }
            """, [])
        graph?.start { _ in }
        scheduler.advanceTo(12)
        graph?.close()
        graph?.freeze()
        let parts = Cell(0)
        graph?.capture(isLast: true) { _, _ in parts.update { $0 += 1 } }
        scheduler.advanceTo(40)
        #expect(parts.value == graph?.partCount && lines.value.isEmpty)
        graph?.dispose()
        #expect(graph?.unsettled.map(\.progress.done) == [[:]])
        graph = nil
        scheduler.start()
    }

    /// A source that a reload adds replays, to all new pipelines, what it emitted while it was being armed.
    @Test func eventsDuringArmingAreReplays() throws {
        var graph: Graph? = try graph(
            "sources: { tick: { interval: 10s } }\npipelines: { p: { from: tick, to: [stdout] } }", [])
        graph?.start { _ in }
        scheduler.advanceTo(15)
        graph?.close()
        scheduler.advanceTo(45)
        #expect(lines.value.count == 1 && graph?.unsettledCount == 0)
        graph?.dispose()
        graph = nil
        scheduler.start()
    }

    /// A new subscriber is given earlier events as replays: `onReplay` says whether a sink acts on them.
    @Test(arguments: [("", ["10 0", "20 1"]), (": { onReplay: act }", ["10 0", "15 0", "20 1"])])
    func sinksActOnReplaysOnlyIfConfigured(settings: String, expected: [String]) throws {
        func config(_ more: String) -> String {
            """
            sources: { tick: { interval: 10s } }
            pipelines: { p: { from: tick, steps: [map: .tick\(more)], to: [stdout\(settings)] } }
            """
        }
        var old: Graph? = try graph(config(""), [])
        old?.start { _ in }
        scheduler.advanceTo(15)
        var new: Graph? = try graph(config(", map: ."), [], old)
        new?.take(placeOf: old)
        scheduler.advanceTo(25)
        #expect(lines.value == expected)
        new?.dispose()
        (old, new) = (nil, nil)
        scheduler.start()
    }

    /// A combination of replays only is a replay; a combination with a new event is not.
    @Test func combinationWithNewEventIsNew() throws {
        let sources = "sources: { tick: { interval: 10s }, slow: { interval: { every: 100s, delay: 17s } } }\n"
        let before = sources + "pipelines: { p: { from: tick, to: [journal] } }"
        var old: Graph? = try graph(before, [])
        old?.start { _ in }
        scheduler.advanceTo(15)
        var new: Graph? = try graph(
            sources
                + "pipelines: { p: { from: tick, to: [journal] }, q: { combineLatest: [tick, slow], steps: [map: 'map(.tick)'], to: [stdout] } }",
            [], old)
        new?.take(placeOf: old)
        scheduler.advanceTo(33)
        // At 15 + 17 the first event of `slow` meets the event of `tick` at 30.
        #expect(lines.value == ["32 [2,0]"])
        new?.dispose()
        (old, new) = (nil, nil)
        scheduler.start()
    }

    // MARK: - Different ways of deriving events

    /// Runs a configuration with the given events until a time, and stops.
    ///
    /// - Returns: the events that are unsettled for the next process.
    private func run(_ config: String, _ events: [UnsettledEvent], for seconds: Int) throws -> [UnsettledEvent] {
        var graph: Graph? = try graph(config, events)
        graph?.start { _ in }
        scheduler.advanceTo(scheduler.clock + seconds)
        graph?.close()
        graph?.freeze()
        graph?.dispose()
        defer { graph = nil }
        return (graph?.unsettled ?? []).map(\.toBeRedelivered)
    }

    /// A sink that finished the last of several events in another group has not finished this group.
    @Test(arguments: [
        ("buffer: { span: 2s }, filter: length > 0", "[1,2]"),
        ("window: { span: 2s, steps: [reduce: { seed: 0, next: $state + . }] }, filter: . > 0", "3"),
        ("window: { span: 2s, steps: [toArray] }, filter: length > 0", "[1,2]"),
    ])
    func eventInOtherGroupIsNew(steps: String, expected: String) throws {
        let config = """
            sources: { tick: { interval: 1h } }
            pipelines: { p: { from: tick, steps: [\(steps)], to: [stdout] } }
            """
        _ = try run(config, [Self.event(7, 1), Self.event(8, 2, done: ["p/stdout": [0]])], for: 5)
        #expect(lines.value == ["2 \(expected)"])
        scheduler.start()
    }

    /// The same group has the same ID, also if a step has stored it.
    @Test func eventInSameGroupIsDoneOnce() throws {
        let config = """
            sources: { tick: { interval: 1h } }
            pipelines:
              l: { from: tick, steps: [buffer: { span: 2s }, filter: length > 0] }
              a: { from: l, to: [stdout] }
              b: { from: l, steps: [delay: 30s], to: [journal] }
            """
        let left = try run(config, [Self.event(7, 1), Self.event(8, 2)], for: 5)
        #expect(lines.value == ["2 [1,2]"])
        let done = left.map { $0.progress.done["a/stdout"] ?? [] }
        #expect(done.count == 2 && done[0] == [] && done[1].count == 1 && done[1] != [0])
        _ = try run(config, left, for: 5)
        #expect(lines.value.count == 1)
        scheduler.start()
    }

    /// Events that reach a sink in another order than before are not mistaken for each other.
    @Test(arguments: [
        "m: { merge: [x, y], to: [stdout] }", "m: { merge: [y, x], steps: [map: .], to: [stdout] }",
        "m: { merge: { u: x, v: y }, steps: [map: '.u // .v'], to: [stdout] }",
        "m: { from: onError, steps: [map: .value], to: [stdout] }",
    ])
    func changedOrderRepeatsNothing(last: String) throws {
        let isFailing = last.contains("onError")
        func config(_ x: Int, _ y: Int) -> String {
            func pipeline(_ name: String, _ delay: Int) -> String {
                let steps = "map: '\"\(name)\"', delay: \(delay)s"
                return "\(name): { from: tick, steps: [\(steps)\(isFailing ? ", map: 'error(\"no\")'" : "")]"
                    + "\(isFailing ? ", onError: { to: [m] }, to: [journal]" : "") }"
            }
            return """
                sources: { tick: { interval: 1h } }
                pipelines:
                  \(pipeline("x", x))
                  \(pipeline("y", y))
                  \(last)
                """
        }
        _ = try errors {
            let left = try run(config(1, 4), [Self.event(7, 0)], for: 2)
            #expect(lines.value == [#"1 "x""#])
            _ = try run(config(4, 1), left, for: 8)
            #expect(lines.value == [#"1 "x""#, #"3 "y""#])
        }
        scheduler.start()
    }

    /// Events derived from one event in several ways and with other events.
    @Test(arguments: ["combineLatest", "zip"]) func combinationIsDoneOnce(combination: String) throws {
        func config(_ x: Int, _ y: Int) -> String {
            """
            sources: { tick: { interval: 1h } }
            pipelines:
              x: { from: tick, steps: [map: '"x"', delay: \(x)s] }
              y: { from: tick, steps: [map: '"y"', delay: \(y)s] }
              c: { \(combination): [x, y], to: [stdout] }
              d: { from: c, steps: [delay: 30s], to: [journal] }
            """
        }
        let left = try run(config(1, 3), [Self.event(7, 0)], for: 4)
        _ = try run(config(3, 1), left, for: 8)
        #expect(lines.value == [#"3 ["x","y"]"#])
        scheduler.start()
    }
}
