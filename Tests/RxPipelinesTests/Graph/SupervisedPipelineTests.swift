import RxEngine
import RxEngineTest
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct SupervisedPipelineTests {
    /// The reports and records of a pipeline that ticks every ten seconds, and whose step fails if `condition` holds
    /// for the number of the event.
    private func run(
        failingIf condition: String, until time: TestTime, share: String = "{}"
    ) throws -> (errors: [PipelineError], records: [String]) {
        let rig = try Rig(
            """
            sources: { tick: { interval: { every: 10s, delay: 0s } } }
            pipelines:
              p:
                from: tick
                share: \(share)
                steps: [map: 'if ($event.sequence | \(condition)) then error("no") else .tick end']
                to: [journal: "{{.}}"]
            """)
        let found = errors { rig.run(until: time) }
        rig.drop()
        return (found.compactMap { $0 as? PipelineError }, rig.records.lines())
    }

    @Test func failureIsReportedWithLocationAndCause() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              p:
                from: tick
                steps:
                  - map: .tick
                  - filter: error("no \\(.)")
                to: [stdout]
            """)
        let found = errors { rig.run(until: 10) }
        let error = try #require(found.first as? PipelineError)
        let cause = try #require(error.cause as? StepError)
        #expect(found.count == 1)
        #expect(
            error.pipeline == "p" && error.sink == nil && error.event?.cause == "tick:0"
                && error.consequence == .continues
        )
        #expect(cause.step == "filter" && cause.cause == "tick:0" && cause.message == "no 0")
        #expect("\(cause.location)" == "t.yaml:7:17")
        #expect(error.description == "p failed: t.yaml:7:17: filter failed on tick:0: no 0")
        rig.drop()
    }

    @Test func failedEventIsDroppedAndNextIsProcessed() throws {
        let (errors, records) = try run(failingIf: ". == 1 or . == 2 or . == 4", until: 55)
        #expect(errors.map { ($0.cause as? StepError)?.cause } == ["tick:1", "tick:2", "tick:4"])
        // The source continues to count: it is not restarted.
        #expect(records == ["0 info 0", "30 info 3", "50 info 5"])
    }

    @Test func failedEventIsNotReplayedByNode() throws {
        let (errors, records) = try run(failingIf: ". == 1", until: 25, share: "{ replay: 1, scope: forever }")
        #expect(errors.count == 1)
        #expect(records == ["0 info 0", "20 info 2"])
    }

    /// The source replays its last event; a pipeline that failed on it must not receive it again.
    @Test func replayedEventFailsOnce() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              steady: { from: tick, to: [stdout] }
              bad: { from: tick, steps: [map: error("no")], to: [stdout] }
            """)
        let found = errors { rig.run(until: 35) }
        #expect(found.map { (($0 as? PipelineError)?.cause as? StepError)?.cause } == ["tick:0", "tick:1", "tick:2"])
        #expect(rig.lines.value.count == 3)
        rig.drop()
    }

    @Test func pipelineFromFailingPipelineContinues() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: { every: 10s, delay: 0s } } }
            pipelines:
              p: { from: tick, steps: [map: 'if $event.sequence == 1 then error("no") else . end'] }
              q: { from: p, to: [journal: "{{$event.cause}}"] }
            """)
        let found = errors { rig.run(until: 25) }
        #expect(found.map { ($0 as? PipelineError)?.pipeline } == ["p"])
        #expect(rig.records.lines() == ["0 info tick:0", "20 info tick:2"])
        rig.drop()
    }

    // MARK: the operator by itself

    private func event(_ number: UInt64) -> PipelineEvent {
        PipelineEvent(.number(Double(number)), source: "s", sequence: number, time: 0)
    }

    /// The sequence numbers that are emitted, with their times, and the announced pauses.
    private func observe(
        _ scheduler: TestScheduler, _ source: Observable<PipelineEvent>, until time: TestTime,
        through steps: @escaping @Sendable (Observable<PipelineEvent>) -> Observable<PipelineEvent> = { $0 }
    ) -> (seen: [Recorded<Event<UInt64>>], pauses: [Duration?]) {
        let account = Resources.Account("p")
        let observer = scheduler.createObserver(UInt64.self)
        let found = errors {
            let subscription = source.supervised(through: steps, .restart, account, on: scheduler, onExit: { _ in })
                .map(
                    \.sequence
                )
                .subscribe(observer)
            scheduler.advanceTo(time)
            subscription.dispose()
        }
        return (observer.events, found.map { ($0 as? PipelineError)?.pause })
    }

    @Test func failedSourceRestartsAfterIncreasingPauses() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let cold = scheduler.createColdObservable([Recorded<Event<PipelineEvent>>.error(1, TestError())])
        let (seen, pauses) = observe(scheduler, cold.asObservable(), until: 35)
        #expect(seen == [])
        #expect(pauses == [1, 2, 4, 8, 16].map { .seconds($0) })
        #expect(cold.subscriptions.map(\.subscribe) == [0, 2, 5, 10, 19])
    }

    @Test func eventResetsPause() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let cold = scheduler.createColdObservable([.next(1, event(7)), .error(2, TestError())])
        let (seen, pauses) = observe(scheduler, cold.asObservable(), until: 8)
        #expect(seen == [.next(1, 7), .next(4, 7), .next(7, 7)])
        #expect(pauses == [.seconds(1), .seconds(1), .seconds(1)])
    }

    @Test func stepsSurviveRestartOfSource() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let cold = scheduler.createColdObservable([.next(1, event(7)), .error(2, TestError())])
        let made = Cell(0)
        _ = observe(scheduler, cold.asObservable(), until: 8) { events in
            made.update { $0 += 1 }
            return events
        }
        #expect(made.value == 1)
    }

    @Test func stepsThatFailAtOnceRestartAfterPause() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let (seen, pauses) = observe(scheduler, .never(), until: 8) { _ in .error(TestError()) }
        #expect(seen == [])
        #expect(pauses == [1, 2, 4, 8].map { .seconds($0) })
    }

    /// Steps that fail after an event restart at once; if no event has arrived since, after a pause.
    @Test func stepsRestartAtOnceAfterEvent() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let hot = scheduler.createHotObservable([.next(10, event(7)), .next(10, event(8)), .next(20, event(9))])
        let made = Cell(0)
        let (seen, pauses) = observe(scheduler, hot.asObservable(), until: 30) { events in
            made.update { $0 += 1 }
            // The first attempt fails on an event, the second before one has arrived.
            let number = made.value
            if number == 2 { return .error(TestError()) }
            return events.map { event in
                if number == 1 { throw TestError() }
                return event
            }
        }
        #expect(made.value == 3)
        #expect(pauses == [nil, .seconds(1)])
        #expect(seen == [.next(11, 8), .next(20, 9)])
    }

    @Test func eventAfterRestartNeedsNoPause() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let hot = scheduler.createHotObservable([.next(10, event(7)), .next(10, event(8)), .next(20, event(9))])
        let made = Cell(0)
        let (seen, pauses) = observe(scheduler, hot.asObservable(), until: 30) { events in
            made.update { $0 += 1 }
            let isFirst = made.value == 1
            return events.flatMap { event in isFirst ? Observable.error(TestError()) : .just(event) }
        }
        #expect(made.value == 2)
        #expect(pauses == [nil])
        #expect(seen == [.next(10, 8), .next(20, 9)])
    }

    @Test func completionOfSourceCompletes() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let cold = scheduler.createColdObservable([.next(1, event(7)), .completed(2)])
        let (seen, pauses) = observe(scheduler, cold.asObservable(), until: 8)
        #expect(seen == [.next(1, 7), .completed(2)])
        #expect(pauses == [])
    }

    @Test func completionOfStepsStopsSource() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let hot = scheduler.createHotObservable([.next(1, event(7)), .next(2, event(8))])
        let (seen, _) = observe(scheduler, hot.asObservable(), until: 8) { events in
            .create { observer in
                events.subscribe(onNext: { event in
                    observer.onNext(event)
                    observer.onCompleted()
                })
            }
        }
        #expect(seen == [.next(1, 7), .completed(1)])
        #expect(hot.subscriptions == [Subscription(0, 1)])
    }

    @Test func disposeCancelsPause() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let cold = scheduler.createColdObservable([Recorded<Event<PipelineEvent>>.error(1, TestError())])
        _ = observe(scheduler, cold.asObservable(), until: 1)
        scheduler.advanceTo(100)
        #expect(cold.subscriptions.count == 1)
    }

    @Test func pauseIsAtMostOneMinute() {
        #expect((0...8).map(Observable.pause) == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        #expect(Observable.pause(after: .max) == .seconds(60))
    }

    @Test func failedSinkEndsNothing() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: 10s } }
            pipelines:
              p:
                from: tick
                to:
                  - journal: '{{if .tick == 1 then error("no") else .tick end}}'
                  - stdout
            """)
        let found = errors { rig.run(until: 30) }
        #expect(rig.records.lines() == ["10 info 0", "30 info 2"])
        #expect(rig.lines.value.count == 3)
        #expect(found.isEmpty)
        #expect(rig.records.lines(.sink) == ["20 err p: journal failed: t.yaml:6:21: no"])
        let record = try #require(rig.records.all(.sink).first)
        #expect(record[.pipeline] == "p" && record[.sink] == "journal" && record[.cause] == "tick:1")
        #expect(record[.source] == "tick" && record[.sequence] == "1")
        #expect(record[.error] == "t.yaml:6:21: no" && record.generation == 7)
        rig.drop()
    }

    @Test func completionIsRecorded() throws {
        var plan = try Plan.read(
            "sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick, to: [stdout] } }".utf8, file: "t.yaml")
        plan.sources = [Plan.Source(name: "tick", kindName: "twice", kind: Twice(), content: "")]
        let rig = Rig(plan)
        let found = errors { rig.run(until: 100) }
        #expect(found.isEmpty && rig.lines.value == ["1", "2"])
        #expect(
            rig.records.lines(.source).last
                == "0 notice p has completed: no more events come from tick; a reload that changes tick starts it again"
        )
        #expect(rig.records.all(.source).last?[.pipeline] == "p")
        rig.drop()
    }

    private struct Twice: SourceKind {
        func events(in context: SourceContext) -> Observable<JSON> { .of(1, 2) }
        var summary: String { "twice" }
    }
}

extension PipelineError {
    /// The pause before the restart, if it restarts.
    fileprivate var pause: Duration? {
        if case .restarts(let pause, _) = consequence { pause } else { nil }
    }
}
