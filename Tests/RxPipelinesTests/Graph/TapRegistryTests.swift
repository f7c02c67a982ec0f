import RxControl
import RxEngine
import RxEngineTest
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// The observers of what nodes do.
@Suite(.balanced) struct TapRegistryTests {
    private func text(_ node: String, _ notification: TapRegistry.Notification) -> String {
        switch notification {
        case .emitted(let event): "\(node) \(event.value)"
        case .failed(let failure): "\(node) failed\(failure.sink.map { " at \($0)" } ?? ""): \(failure.message)"
        case .phase(let phase): "\(node) \(phase.rawValue)"
        case .settled(let event): "\(node) settled \(event.cause)"
        case .dropped(_, let id, let sink, let reason): "\(node) drops \(id) at \(sink): \(reason)"
        case .subscription(let pipeline, .subscribed): "\(node) < \(pipeline)"
        case .subscription(let pipeline, .unsubscribed): "\(node) > \(pipeline)"
        case .subscription(let pipeline, .replayed(let event)): "\(node) replays \(event.cause) to \(pipeline)"
        }
    }

    @Test func observersGetTheirNodes() {
        let taps = TapRegistry()
        let (all, some) = (Cell<[String]>([]), Cell<[String]>([]))
        let activities = ["a", "b"].map { NodeActivity($0, on: HistoricalScheduler(), taps) }
        let event = PipelineEvent(7, source: "s", sequence: 0, time: 0)
        activities[0].emitted(event)
        let first = taps.add([]) { all.append(text($0, $1)) }
        let second = taps.add(["b", "c"]) { some.append(text($0, $1)) }
        for activity in activities {
            activity.enter(.running)
            activity.enter(.running)
            activity.emitted(event)
            activity.failed("broken", at: "http")
        }
        first.dispose()
        activities[1].enter(.completed)
        activities[1].unsubscribed()
        activities[0].unsubscribed()
        second.dispose()
        activities[1].emitted(event)
        #expect(
            all.value
                == ["a", "b"].flatMap { ["\($0) running", "\($0) 7", "\($0) failed at http: broken"] })
        #expect(some.value == ["b running", "b 7", "b failed at http: broken", "b completed"])
    }

    /// A reload starts the new node of a name before the old one ends: the name runs all the time.
    @Test func replacedNodeIsNotIdle() {
        let (taps, seen) = (TapRegistry(), Cell<[String]>([]))
        let (old, new) = (
            NodeActivity("p", on: HistoricalScheduler(), taps), NodeActivity("p", on: HistoricalScheduler(), taps)
        )
        old.enter(.running)
        let tap = taps.add([]) { seen.append(text($0, $1)) }
        new.enter(.running)
        old.unsubscribed()
        #expect(seen.value == ["p running"])
        new.enter(.completed)
        new.enter(.running)
        new.unsubscribed()
        #expect(seen.value == ["p running", "p completed", "p running", "p idle"])
        tap.dispose()
    }

    /// Each subscription is observed, with the earlier event that it gets, and also that of a step to another node.
    @Test func subscriptionsAreObserved() throws {
        let (host, seen) = (Host.inline(), Cell<[String]>([]))
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        func graph(_ more: String, replacing previous: Graph? = nil) throws -> Graph {
            let config = "sources: { s: { interval: 10s } }\npipelines: { a: { from: s, to: [stdout] }\(more) }"
            return Graph(
                try Plan.read(config.utf8, file: "t.yaml"), replacing: previous, generation: { 1 }, host: host,
                records: RecordLog(scheduler), printLine: { $1.end(.written) }, makeScheduler: { _ in scheduler })
        }
        func change(_ old: Graph, to new: Graph) {
            new.start { _ in new.replace(old, drain: .zero) {} }
            scheduler.advanceTo(scheduler.clock)
        }
        let tap = host.taps.add(["s"]) { node, notification in
            if case .subscription = notification { seen.append(text(node, notification)) }
        }
        var running: Graph? = try graph("")
        running?.start { _ in }
        scheduler.advanceTo(25)
        #expect(seen.value == ["s < a"])
        for (more, expected) in [
            (", b: { from: s, to: [stdout] }", ["s < b", "s replays s:1 to b"]), ("", ["s > b"]),
            (
                ", b: { from: s, steps: [takeUntil: s], to: [stdout] }",
                ["s < b", "s < b", "s replays s:1 to b", "s replays s:1 to b", "s > b", "s > b"]
            ),
        ] {
            seen.update { $0 = [] }
            let (old, new) = (running, try graph(more, replacing: running))
            if let old { change(old, to: new) }
            running = new
            #expect(seen.value == expected)
        }
        seen.update { $0 = [] }
        running?.dispose()
        running = nil
        scheduler.start()
        #expect(seen.value == ["s > a"])
        tap.dispose()
    }

    /// Whether or not the sink records what it drops.
    @Test func droppedEventsAreObserved() throws {
        let (taps, seen) = (TapRegistry(), Cell<[String]>([]))
        let tap = taps.add(["p"]) { seen.append(text($0, $1)) }
        for recordsAll in [true, false] {
            var context = SinkContext.test()
            (context.sink, context.recordsAll) = ("http", recordsAll)
            context.activity = NodeActivity("p", on: HistoricalScheduler(), taps)
            context.drop([PipelineEvent(1, source: "s", sequence: 4, time: 0)], because: "the queue is full")
        }
        #expect(seen.value == Array(repeating: "p drops s:4 at http: the queue is full", count: 2))
        tap.dispose()
    }

    /// An event is settled when nothing holds it any more, unless it is kept for the next process.
    @Test func settledEventsAreObserved() {
        let (taps, seen) = (TapRegistry(), Cell<[String]>([]))
        let unsettled = UnsettledEventTable(taps: taps)
        func accept(_ number: UInt64) -> PipelineEvent? {
            unsettled.accept(SourceEvent("s", run: "r", sequence: number, time: 0), .number(Double(number)))
        }
        _ = accept(0)
        let tap = taps.add(["s"]) { seen.append(text($0, $1)) }
        var held = accept(1)
        #expect(seen.value.isEmpty)
        withExtendedLifetime(held) {}
        held = nil
        #expect(seen.value == ["s settled s:1"])
        held = accept(2)
        unsettled.freeze()
        withExtendedLifetime(held) {}
        held = nil
        #expect(seen.value.count == 1)
        tap.dispose()
    }

    @Test(arguments: [
        (#"{"node":"p","time":0.25,"value":{"n":1},"cause":"tick:3","id":"x"}"#, #".250  p  {"n":1}  (tick:3)"#),
        (#"{"node":"p","time":0.25,"value":1,"cause":"tick:3","replayed":true}"#, ".250  p  1  (tick:3, replayed)"),
        (
            #"{"node":"p","time":0.25,"value":{"ok":true,"status":200,"headers":{"date":"x"},"body":{"n":1},"timing":{}},"cause":"c"}"#,
            #".250  p  200 {"n":1}  (c)"#
        ),
        (
            #"{"node":"p","time":0.25,"value":1,"cause":"c","dropped":7}"#,
            ".250  p  1  (c) (7 lines before it are missing)"
        ),
        (#"{"node":"p","time":0.25,"failed":"a\nb","sink":"http"}"#, ".250  p  failed at http: a\n                 b"),
        (#"{"node":"p","time":0.25,"failed":"p failed: no"}"#, ".250  p  failed: no"),
        (#"{"node":"p","time":0.25,"failed":"p failedly"}"#, ".250  p  failed: p failedly"),
        (
            #"{"node":"p","time":0.25,"failed":"p: http failed: no","sink":"http","cause":"t:1"}"#,
            ".250  p  failed at http: no  (t:1)"
        ),
        (
            #"{"node":"p","time":0.25,"failed":"p: http failed: no","sink":"http","retried":true,"cause":"t:1"}"#,
            ".250  p  failed at http, and tries again: no  (t:1)"
        ),
        // A daemon of an earlier version.
        (
            #"{"node":"p","time":0.25,"failed":"p: http failed, and tries again: no","sink":"http"}"#,
            ".250  p  failed at http, and tries again: no"
        ),
        // The message of a step names the event.
        (
            #"{"node":"p","time":0.25,"failed":"p failed: t.yaml:2:4: map failed on t:1: no","cause":"t:1","id":"t:x:1"}"#,
            ".250  p  failed: t.yaml:2:4: map failed on t:1: no"
        ),
        (#"{"node":"p","time":0.25,"state":"idle"}"#, ".250  p  idle"),
        (#"{"node":"s","time":0.25,"settled":"s:3","id":"x"}"#, ".250  s  settled (s:3)"),
        (
            #"{"node":"p","time":0.25,"dropReason":"the queue is full","sink":"http","cause":"s:3","id":"x"}"#,
            ".250  p  dropped at http: the queue is full  (s:3)"
        ),
        (#"{"node":"s","time":0.25,"subscriber":"p","state":"subscribed"}"#, ".250  s  p has subscribed"),
        (
            #"{"node":"s","time":0.25,"subscriber":"p","replayed":true,"cause":"s:3","id":"x"}"#,
            ".250  s  replayed to p (s:3)"
        ),
        // Any program may listen at a socket.
        (#"{"node":"p","time":1e+300,"state":"idle","dropped":1e+300}"#, ".000  p  idle"),
    ])
    func linesAreShown(line: String, shown: String) {
        let text = TapLine.shown(Array(line.utf8), as: .text)
        #expect(text?.dropFirst(8) == shown[...], "\(text ?? "")")
        #expect(TapLine.shown(Array(line.utf8), as: .json) == line)
        let recorded = TapLine.shown(Array(line.utf8), as: .recording)
        let isEvent = line.contains("value") && !line.contains("replayed")
        #expect((recorded != nil) == isEvent)
        if let recorded { #expect((try? TrialInput.recording(Array(recorded.utf8)))?.count == 1) }
    }

    @Test(
        arguments: [
            (#"{"node":"p","time":0,"failed":"a"}"#, "31"), (#"{"node":"p","time":0,"value":1,"dropped":7}"#, "33"),
            (#"{"node":"p","time":0,"value":"it failed"}"#, nil), (#"{"node":"p","time":0,"state":"idle"}"#, nil),
        ] as [(String, String?)])
    func lineHasColor(line: String, color: String?) throws {
        let bytes = Array(line.utf8)
        let plain = try #require(TapLine.shown(bytes, as: .text))
        let colored = color.map { "\u{1B}[\($0)m\(plain)\u{1B}[0m" } ?? plain
        #expect(TapLine.shown(bytes, as: .text, hasColor: true) == colored)
        #expect(TapLine.shown(bytes, as: .json, hasColor: true) == line)
    }

    @Test func malformedLineIsNotShown() {
        for form: TapLine.Form in [.text, .json, .recording] {
            #expect(TapLine.shown(Array("{".utf8), as: form) == nil)
        }
    }
}
