import RxEngine
import TestSupport
import Testing

@testable import RxPipelines

/// Events in flight in steps that fail by themselves, and the state of these steps.
@Suite(.balanced) struct StepsRestartTests {
    private let rig = ReloadRig()

    private func config(_ steps: String, _ more: String = "onError: { to: [q] }") -> String {
        let failed = #"q: { from: onError, steps: [map: '"lost \(.value)"'], to: [stdout] }"#
        return """
            sources: { s: { interval: 1h } }
            pipelines:
              p: { from: s, steps: [\(steps)], \(more), to: [stdout] }
              \(more.contains("[q]") ? failed : "")
            """
    }

    /// The printed lines, and the messages of the errors.
    private func run(_ body: () throws -> [String]) throws -> (lines: [String], errors: [String]) {
        var lines: [String] = []
        let found = try errors { lines = try body() }
        return (lines, found.map { "\($0)" })
    }

    @Test func bufferedEventsSurviveTimeout() throws {
        let (lines, errors) = try run {
            try rig.run(config("buffer: { count: 3 }, timeout: 1min"))
            rig.emit(1, 2)
            rig.wait(61)
            #expect(rig.graph?.unsettledCount == 2)
            rig.emit(3)
            #expect(rig.graph?.unsettledCount == 0)
            return rig.end(after: 5)
        }
        #expect(lines == ["61 [1,2,3]"])
        #expect(
            errors == [
                "p failed: t.yaml:3:56: timeout failed: no event for 1min; its steps restart, with 2 events that were in flight"
            ])
    }

    @Test(arguments: [
        "groupBy: { key: '1', steps: [buffer: { count: 3 }, timeout: 1min] }",
        "window: { count: 3, steps: [toArray, timeout: 1min] }",
        "delay: 50s, buffer: { count: 3 }, timeout: 1min",
        "buffer: { count: 3 }, timeout: 1min, retry: { times: 0, delay: 1s }",
        "buffer: { count: 3 }, timeout: 1min, materialize, dematerialize",
    ])
    func eventsInFlightSurviveTimeout(steps: String) throws {
        let (lines, errors) = try run {
            try rig.run(config(steps))
            rig.emit(1, 2)
            rig.wait(61)
            rig.emit(3)
            return rig.end(after: 55)
        }
        #expect(lines.map { $0.split(separator: " ").last } == ["[1,2,3]"])
        #expect(errors.count == 1)
    }

    @Test func stepsKeepStateAndCountNoEventTwice() throws {
        let (lines, errors) = try run {
            try rig.run(
                config("scan: { seed: 0, next: $state + $value }, buffer: { count: 3 }, timeout: 1min"))
            rig.emit(1, 2)
            rig.wait(61)
            rig.emit(3)
            return rig.end(after: 5)
        }
        #expect(lines == ["61 [1,3,6]"])
        #expect(errors.count == 1)
    }

    @Test func volatileStepsProcessEventsInFlightAnew() throws {
        let (lines, _) = try run {
            try rig.run(
                config(
                    "scan: { seed: 0, next: $state + $value }, buffer: { count: 3 }, timeout: 1min", "state: volatile"))
            rig.emit(5, 1, 2)
            rig.emit(1, 2)
            rig.wait(61)
            rig.emit(3)
            return rig.end(after: 5)
        }
        #expect(lines == ["0 [5,6,8]", "61 [1,3,6]"])
    }

    @Test func timeoutsBackOffAndKeepEvents() throws {
        let (lines, errors) = try run {
            try rig.run(config("buffer: { count: 3 }, timeout: 1s"))
            rig.emit(1, 2)
            rig.wait(600)
            #expect(rig.graph?.unsettledCount == 2)
            rig.emit(3)
            return rig.end(after: 65)
        }
        #expect(lines.map { $0.split(separator: " ").last } == ["[1,2,3]"])
        #expect(4...30 ~= errors.count)
    }

    @Test(arguments: ["single", "delay: 5s, single"])
    func singleFailsOnEachLaterEvent(steps: String) throws {
        let (lines, errors) = try run {
            try rig.run(config(steps))
            rig.emit(1, 2)
            rig.wait(60)
            rig.emit(3)
            rig.wait(60)
            #expect(rig.graph?.unsettledCount == 0)
            rig.complete()
            return rig.end(after: 60)
        }
        #expect(lines.map { $0.drop { $0 != " " }.dropFirst() } == ["1", #""lost 2""#, #""lost 3""#])
        #expect(errors.count == 2)
    }

    @Test(arguments: [
        "map: 'if . == 2 then error(\"no\") else . end', materialize, dematerialize, buffer: { count: 2 }",
        "delay: 5s, map: 'if . == 2 then error(\"no\") else . end', materialize, dematerialize, buffer: { count: 2 }",
        "map: 'if . == 2 then {kind: \"error\", error: \"no\"} else . end', dematerialize, buffer: { count: 2 }",
    ])
    func dematerializedErrorLosesOnlyItsEvent(steps: String) throws {
        let (lines, errors) = try run {
            try rig.run(config(steps))
            rig.emit(1)
            rig.wait(1)
            rig.emit(2)
            rig.wait(1)
            rig.emit(3)
            return rig.end(after: 60)
        }
        #expect(lines.count == 2 && lines.first?.contains("lost") == true && lines.last?.hasSuffix(" [1,3]") == true)
        #expect(errors.count == 1 && errors.first?.contains("dematerialize failed on s:1: ") == true)
    }

    /// The last failure is recorded once, and its event is received once.
    @Test func exhaustedRetryLosesOnlyFailedEvent() throws {
        let (lines, errors) = try run {
            try rig.run(
                config(
                    "delay: 5s, map: 'if . < 3 then error(\"no\") else . end', retry: { times: 1, delay: 1s }, buffer: { count: 2 }"
                ))
            rig.emit(1, 2, 3)
            rig.wait(1)
            rig.emit(4)
            return rig.end(after: 60)
        }
        #expect(lines.first == #"5 "lost 1""# && lines.dropFirst().first == #"11 "lost 2""#)
        #expect(lines.count == 3 && lines.last?.hasSuffix(" [3,4]") == true)
        #expect(errors.count == 2)
    }

    /// Each attempt begins with a new state; the restart after the last attempt continues with its state.
    @Test func exhaustedRetryCountsNoEventTwice() throws {
        let (lines, errors) = try run {
            try rig.run(
                config(
                    "scan: { seed: 0, next: $state + $value }, delay: 5s, map: 'if $event.sequence < 2 then error(\"no\") else . end', retry: { times: 1, delay: 1s }"
                ))
            rig.emit(1, 10)
            rig.wait(1)
            rig.emit(100)
            return rig.end(after: 60)
        }
        #expect(lines.filter { !$0.contains("lost") }.map { $0.split(separator: " ").last } == ["110"])
        #expect(errors.count == 2)
    }

    @Test func exitKeepsEventsForNextProcess() throws {
        let state = StateRig()
        let failing = config(
            "map: 'if . == 3 then error(\"no\") else . end', buffer: { count: 3 }", "onError: exit")
        let found = try errors {
            try state.start(failing)
            for number in 1...4 { state.emit(.number(Double(number))) }
            #expect(state.graph?.unsettledCount == 3)
            state.kill()
            try state.start(failing)
            #expect(state.lines.value == ["[1,2,4]"])
            state.end()
        }
        #expect(found.map { "\($0)" } == ["p failed: t.yaml:3:31: map failed on s:2: no; the daemon exits"])
    }

    @Test func stopRecordsNumberOfDroppedEvents() throws {
        let (lines, errors) = try run {
            try rig.run(config("delay: 5s, map: 'if . == 1 then error(\"no\") else . end'", "onError: stop"))
            rig.emit(1, 2, 3)
            rig.wait(6)
            #expect(rig.graph?.unsettledCount == 0)
            return rig.end(after: 60)
        }
        #expect(lines == [])
        #expect(
            errors == [
                "p failed: t.yaml:3:42: map failed on s:0: no; it is stopped until a reload changes it, and 2 events in flight "
                    + "dropped: s:0:1, s:0:2"
            ])
    }

    @Test func failureInReplacedStepsLosesOnlyFailedEvent() throws {
        let (lines, errors) = try run {
            try rig.run(config("delay: 5s, map: 'if . == 1 then {kind: \"error\"} else . end', dematerialize"))
            rig.emit(1, 2)
            rig.wait(1)
            try rig.run(config("map: '\"new \\(.)\"'"))
            return rig.end(after: 60)
        }
        #expect(lines.count == 2 && lines.first?.contains("lost") == true && lines.last == #"5 "new 2""#)
        #expect(errors.count == 1)
    }

    // MARK: - Deliveries

    /// A sink is not given an event again that it already has.
    @Test func eventOfRestartedStepsKeepsItsNumbers() throws {
        let unsettled = UnsettledEventTable()
        let entries = StepEntryTracker()
        var event: PipelineEvent? = unsettled.accept(SourceEvent("s", run: "r", sequence: 0, time: 0), 1)
        var inside: PipelineEvent? = event.map { entries.enter($0) }
        event = nil
        #expect(inside?.begun(at: "p/stdout")?.event.ordinal == 0)
        var again: PipelineEvent? = inside.map { entries.enterAgain($0) }
        #expect(entries.all.count == 1)
        inside = nil
        #expect(again?.begun(at: "p/stdout") == nil && again?.begun(at: "p/stdout")?.event.ordinal == 1)
        #expect(entries.all.first?.arrivals.map(\.number) == [0, 1])
        again = nil
        #expect(entries.isEmpty && unsettled.count == 0)
    }
}
