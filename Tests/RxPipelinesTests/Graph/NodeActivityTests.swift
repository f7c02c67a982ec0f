import RxEngine
import RxEngineTest
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// What the nodes of a graph have done so far.
@Suite(.balanced) struct NodeActivityTests {
    /// A failure is over when the sink has worked again, and the next one is new.
    @Test func failureIsOverAfterSuccess() {
        let activity = NodeActivity("p", on: HistoricalScheduler())
        #expect(activity.failed("no", at: "http", isRetried: true))
        #expect(!activity.failed("no", at: "http", isRetried: true))
        activity.succeeded(at: "command")
        #expect(activity.summary.failures.count == 1 && activity.summary.failures[0].recovered == nil)
        activity.succeeded(at: "http")
        #expect(activity.summary.failures[0].recovered != nil)
        #expect(activity.failed("no", at: "http"))
        #expect(activity.summary.failures.map(\.isRetried) == [false] && activity.summary.failures[0].recovered == nil)
        activity.failed("no, too")
        activity.failed("no", at: "http")
        #expect(activity.summary.failures.map(\.sink) == [nil, "http"])
        #expect(activity.summary.failures.map(\.count) == [1, 4])
    }

    /// While all have recovered, a success costs no lock and no search.
    @Test func recoveredNodeHasNoOpenFailure() {
        let activity = NodeActivity("p", on: HistoricalScheduler())
        #expect(!activity.isFailing)
        activity.failed("no")
        activity.failed("no", at: "http")
        activity.succeeded()
        #expect(activity.isFailing)
        activity.succeeded(at: "http")
        #expect(!activity.isFailing && activity.summary.failures.count == 2)
        activity.failed("no", at: "http")
        #expect(activity.isFailing)
        activity.succeeded(at: "http")
        #expect(!activity.isFailing && activity.summary.failures.allSatisfy { $0.recovered != nil })
    }

    /// A sink that has worked for another event meanwhile may still give up on the one that it failed on.
    @Test func recoveredSinkMayGiveUp() {
        let activity = NodeActivity("p", on: HistoricalScheduler())
        let event = SourceEvent("s", sequence: 0, time: 0)
        activity.failed("no", at: "http", on: event, isRetried: true)
        activity.succeeded(at: "http")
        activity.gaveUp(at: "http", on: [event.id], because: "it is late")
        #expect(activity.summary.failures.map(\.message) == ["no; it is late"])
    }

    /// A sink's next attempt has a time until it is made for good.
    @Test func nextAttemptHasTime() {
        let activity = NodeActivity("p", on: HistoricalScheduler())
        func next(_ sink: String = "http") -> Double? {
            activity.summary.failures.first { $0.sink == sink }?.next?.timeIntervalSince1970
        }
        activity.waits(seconds: 3, at: "http")
        activity.failed("no", at: "http", isRetried: true)
        activity.failed("no", at: "command")
        #expect(next() == nil)
        activity.waits(seconds: 3, at: "http")
        activity.waits(seconds: 3, at: "command")
        #expect(next() == 3 && next("command") == nil)
        activity.failed("no", at: "http", isRetried: true)
        #expect(next() == nil)
        activity.waits(seconds: 0.5, at: "http")
        #expect(next() == 0.5)
        activity.succeeded(at: "http")
        #expect(next() == nil)
        activity.waits(seconds: 3, at: "http")
        #expect(next() == nil)
        let event = SourceEvent("s", sequence: 0, time: 0)
        activity.failed("no", at: "http", on: event, isRetried: true)
        activity.waits(seconds: 3, at: "http")
        activity.gaveUp(at: "http", on: [event.id], because: "it is late")
        #expect(next() == nil && activity.summary.failures.last?.message == "no; it is late")
    }

    private func summary(_ name: String, in rig: Rig) throws -> NodeActivity.Summary {
        try #require(rig.graph?.nodes.first { $0.name == name }?.activity.summary)
    }

    /// A source that nothing takes does not run, and the pipeline of the sinks of `onError` is none of the configuration.
    @Test func configuredNodesThatRunAreCounted() throws {
        let rig = try Rig(
            """
            sources: { t: { interval: 1h }, idle: { interval: 1h } }
            pipelines: { p: { from: t, to: [stdout], onError: { to: [stdout] } } }
            """)
        rig.start()
        rig.scheduler.advanceTo(1)
        #expect(rig.graph?.runningSummary == "1 of 2 sources, 1 pipeline running")
        rig.drop()
    }

    @Test func eventsAreCounted() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              odd: { from: tick, steps: [map: .tick, filter: . % 2 == 1], to: [stdout] }
              late: { from: tick, steps: [map: .tick, delay: 3s], share: { replay: 0 }, to: [stdout] }
            """)
        let before = try summary("odd", in: rig)
        #expect(before.phase == .idle && before.count == 0 && before.last == nil && before.perMinute == 0)
        rig.start()
        rig.scheduler.advanceTo(45)
        let tick = try summary("tick", in: rig)
        #expect(tick.phase == .running && tick.count == 4 && tick.perMinute == 4 && tick.failures.isEmpty)
        #expect(tick.last?.event.cause == "tick:3" && tick.last?.time.timeIntervalSince1970 == 40)
        #expect(tick.next?.timeIntervalSince1970 == 50)
        let odd = try summary("odd", in: rig)
        #expect(odd.count == 2 && odd.last?.event.cause == "tick:3" && odd.next == nil)
        // The time of the emission, not of the source event.
        #expect(try summary("late", in: rig).last?.time.timeIntervalSince1970 == 43)
        let nodes = try #require(rig.graph?.picture.nodes)
        #expect(nodes.map(\.name) == ["tick", "odd", "stdout", "late", "stdout"])
        #expect(nodes.map(\.isArmed) == [true, nil, nil, nil, nil])
        #expect(
            nodes[1].activity?.lastValue == 3 && nodes[3].activity?.lastValue == nil, "only a replayed event is kept")
        // Half of this minute has passed: half of the six events of the last one count.
        rig.scheduler.advanceTo(91)
        #expect(try abs(summary("tick", in: rig).perMinute - (5 * 29.0 / 60 + 4)) < 0.01)
        rig.stop()
        #expect(try summary("odd", in: rig).phase == .idle)
        rig.drop()
    }

    @Test func minutesWithoutEventsHaveNone() throws {
        let rig = try Rig("sources: { t: { interval: 1h } }\npipelines: { p: { from: t, to: [stdout] } }")
        rig.start()
        rig.scheduler.advanceTo(3_601)
        #expect(try summary("t", in: rig).perMinute == 1)
        rig.scheduler.advanceTo(3_750)
        #expect(try summary("t", in: rig).perMinute == 0)
        rig.drop()
    }

    @Test func completionIsNoted() throws {
        let rig = try Rig(
            "sources: { t: { interval: 1s } }\npipelines: { p: { from: t, steps: [take: 1], to: [stdout] } }")
        rig.start()
        rig.scheduler.advanceTo(2)
        #expect(try summary("p", in: rig).phase == .completed && summary("t", in: rig).phase == .idle)
        rig.drop()
    }

    /// A poll that fails is an event, and a failure of the source until a poll succeeds.
    @Test func failedPollIsNoted() throws {
        let changes = Cell<[String]>([])
        let activity = NodeActivity("api", on: HistoricalScheduler(), failureOfSource: { $0["error"]?.string }) {
            event, failure in changes.append("\(event.cause) \(failure ?? "works")")
        }
        func poll(_ value: JSON, again isRedelivered: Bool = false) {
            let origin = SourceEvent("api", sequence: 3, time: 0, isRedelivered: isRedelivered)
            activity.emitted(PipelineEvent(value, origin))
        }
        poll(["error": "old"], again: true)
        #expect(activity.summary.failures.isEmpty)
        poll(["error": "no route"])
        poll(["error": "no program"])
        let failure = try #require(activity.summary.failures.first)
        #expect(failure.message == "no program" && failure.count == 2 && failure.event?.cause == "api:3")
        #expect(failure.sink == nil && failure.recovered == nil && failure.time == activity.summary.last?.time)
        poll(["error": .null], again: true)
        #expect(activity.summary.failures.map(\.recovered) == [nil])
        poll(["error": .null])
        #expect(activity.summary.failures.map(\.recovered) == [failure.time])
        #expect(activity.summary.failures.count == 1)
        // The first failure, and the first success after it.
        #expect(changes.value == ["api:3 no route", "api:3 works"])
        poll(["error": .null])
        poll(["error": "no answer"])
        #expect(changes.value.dropFirst(2) == ["api:3 no answer"])
        // What is no poll is recorded elsewhere.
        poll(["error": .null])
        activity.failed("the source itself")
        poll(["error": .null])
        #expect(changes.value.dropFirst(3) == ["api:3 works"])
    }

    /// The source itself may fail between a poll that fails and one that succeeds.
    @Test func recoveryOfPollIsNotedAfterFailureOfSource() throws {
        let changes = Cell<[String]>([])
        let activity = NodeActivity("api", on: HistoricalScheduler(), failureOfSource: { $0["error"]?.string }) {
            changes.append($1 ?? "works")
        }
        func poll(_ value: JSON) {
            activity.emitted(PipelineEvent(value, SourceEvent("api", sequence: 3, time: 0)))
        }
        poll(["error": "no route"])
        activity.failed("the source itself")
        poll(["error": .null])
        poll(["error": .null])
        #expect(changes.value == ["no route", "works"])
        #expect(activity.summary.failures.count == 1 && activity.summary.failures[0].recovered != nil)
        // A poll that fails after a failure of the source is recorded, too.
        activity.failed("the source itself")
        poll(["error": "no answer"])
        activity.failed("the source itself")
        poll(["error": "no answer"])
        poll(["error": .null])
        #expect(changes.value.dropFirst(2) == ["no answer", "works"])
    }

    /// A pipeline that emits works again; what its events say is no failure.
    @Test func pipelineRecoversWhenItEmits() {
        let activity = NodeActivity("p", on: HistoricalScheduler())
        activity.failed("no")
        activity.failed("no", at: "http")
        activity.emitted(PipelineEvent(["error": "e"], source: "s", sequence: 1, time: 0))
        activity.emitted(PipelineEvent([:], source: "s", sequence: 2, time: 0))
        #expect(activity.summary.failures.map(\.count) == [1, 1])
        #expect(activity.summary.failures.map { $0.recovered != nil } == [true, false])
        activity.failed("no")
        #expect(activity.summary.failures.last?.recovered == nil)
    }

    /// The last failure of the steps, of the sinks, and of a source in the steps.
    @Test(arguments: [
        ("steps: [map: .tick.x], to: [stdout]", "p failed: t.yaml:2:41: map failed on t:0: Cannot index number"),
        ("to: [file: /nonexistent/f]", "p: file failed: "),
        (
            "steps: [flatMap: { interval: { every: 1h, delay: 0s }, map: 'error(\"no\")' }], to: [stdout]",
            "p failed: t.yaml:2:89: flatMap failed on t:0: no"
        ),
    ])
    func failureIsNoted(text: String, message: String) throws {
        let rig = try Rig(
            "sources: { t: { interval: { every: 1h, delay: 1s } } }\npipelines: { p: { from: t, \(text) } }")
        let reported = errors {
            rig.start()
            rig.scheduler.advanceTo(2)
        }
        #expect(reported.count == (text.contains("file") ? 0 : 1))
        let failures = try summary("p", in: rig).failures
        let failure = try #require(failures.first)
        #expect(failures.count == 1 && (failure.sink == "file") == text.contains("file"))
        #expect(failure.event?.cause == "t:0")
        #expect(failure.message.hasPrefix(message), "\(failure.message)")
        #expect(failure.time.timeIntervalSince1970 == 1)
        rig.drop()
    }
}
