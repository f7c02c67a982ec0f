import Dispatch
import RxDiagnostics
import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

extension InFlightTests {
    private func event(_ number: UInt64 = 0) -> UnsettledEvent {
        UnsettledEvent(SourceEvent("s", sequence: number, time: 0), .null)
    }

    @Test func permitsBlockAtLimit() async throws {
        let unsettled = UnsettledEventTable(limit: 2)
        let entered = Cell(0)
        let waits = Cell(0)
        let permits = InFlightPermits(unsettled) { waits.update { $0 += 1 } }
        let thread = Thread {
            for _ in 0..<4 {
                _ = permits.wait()
                entered.update { $0 += 1 }
            }
        }
        var events: [PipelineEvent] = []
        func take() throws {
            permits.arrived()
            events.append(try #require(unsettled.accept(event())))
        }
        try await eventually("two calls have entered") { entered.value == 2 && waits.value == 1 }
        try take()
        try take()
        #expect(entered.value == 2)
        events.removeFirst()
        try await eventually("the third call has entered") { entered.value == 3 && waits.value >= 2 }
        unsettled.close()
        try await eventually("a closed source does not wait for permits") { entered.value == 4 }
        thread.join()
        events = []
    }

    /// Between its permit and its event, a value counts as an event: nobody else may take its place.
    @Test func arrivingValueKeepsItsPlace() throws {
        let unsettled = UnsettledEventTable(limit: 2)
        let run = InFlightPermits.Run()
        func take() -> (semaphore: DispatchSemaphore, isFull: Bool)? { unsettled.takePermit(run) }
        let taken = [take(), take()]
        #expect(taken.allSatisfy { $0 == nil })
        let third = try #require(take())
        #expect(third.isFull)
        var events: [PipelineEvent] = []
        for _ in 0..<2 {
            unsettled.arrived(run)
            let outcome = third.semaphore.wait(timeout: .now())
            #expect(outcome == .timedOut)
            events.append(try #require(unsettled.accept(event())))
        }
        events.removeFirst()
        let outcome = third.semaphore.wait(timeout: .now())
        #expect(outcome == .success && events.count == 1)
    }

    /// Without a snapshot that has the event, and without a name under which its source emits it again, its progress is
    /// of no use.
    @Test func progressIsNotedOnceSnapshotHasEvent() throws {
        let noted = Cell<[SinkProgress]>([])
        let unsettled = UnsettledEventTable(onProgress: { noted.append($0.progress) })
        let event = try #require(unsettled.accept(event()))
        event.begun(at: "p/x")?.event.finish(at: "p/x")
        #expect(noted.value.isEmpty)
        #expect(unsettled.captured.map(\.progress) == [SinkProgress(done: ["p/x": [0]])])
        event.begun(at: "p/y")?.event.finish(at: "p/y")
        #expect(noted.value == [SinkProgress(done: ["p/x": [0], "p/y": [0]])])
    }

    @Test func closedTableTakesNoEvent() {
        let unsettled = UnsettledEventTable()
        unsettled.close()
        let events = [unsettled.accept(event()), unsettled.accept(event().event, 1)]
        #expect(events.allSatisfy { $0 == nil } && unsettled.count == 0)
    }

    @Test func versionGrowsWhenEventIsAcceptedAndWhenItIsSettled() {
        let unsettled = UnsettledEventTable()
        var versions = [unsettled.version]
        do {
            let event = unsettled.accept(event())
            withExtendedLifetime(event) { versions.append(unsettled.version) }
        }
        versions.append(unsettled.version)
        #expect(zip(versions, versions.dropFirst()).allSatisfy { $0 < $1 }, "\(versions)")
    }

    @Test func endedRunReturnsItsPermits() async throws {
        let unsettled = UnsettledEventTable(limit: 1)
        let first = InFlightPermits(unsettled)
        #expect(first.wait())
        let hasWaited = Cell(false)
        let isWaiting = Cell(false)
        let second = InFlightPermits(unsettled) { isWaiting.update { $0 = true } }
        let thread = Thread {
            _ = second.wait()
            hasWaited.update { $0 = true }
        }
        try await eventually("the source waits") { isWaiting.value }
        second.end()
        thread.join()
        #expect(hasWaited.value)
        // The run has ended.
        #expect(!second.wait())
        second.arrived()
        first.end()
        let third = InFlightPermits(unsettled) { Issue.record("there is room") }
        #expect(third.wait())
        third.arrived()
        let taken = unsettled.accept(event())
        #expect(taken != nil && unsettled.count == 1)
    }

    @Test func raisingLimitWakesWaitingSource() async throws {
        let unsettled = UnsettledEventTable(limit: 1)
        let isWaiting = Cell(false)
        let permits = InFlightPermits(unsettled) { isWaiting.update { $0 = true } }
        #expect(permits.wait())
        let hasPermit = Cell(false)
        let thread = Thread { hasPermit.update { $0 = permits.wait() } }
        try await eventually("the source waits") { isWaiting.value }
        unsettled.setLimit(2)
        thread.join()
        #expect(hasPermit.value)
        permits.end()
    }

    @Test func changingLimitCallsWaitersWhenPermitsAreFree() {
        let unsettled = UnsettledEventTable(limit: 1)
        let calls = Cell(0)
        unsettled.whenBelowLimit { calls.update { $0 += 1 } }
        var events = [unsettled.accept(event(0)), unsettled.accept(event(1))]
        #expect(unsettled.requestCallbackIfFull())
        unsettled.setLimit(2)
        #expect(calls.value == 0)
        unsettled.setLimit(3)
        #expect(calls.value == 1 && !unsettled.requestCallbackIfFull())
        unsettled.setLimit(1)
        #expect(unsettled.requestCallbackIfFull())
        events.removeLast()
        #expect(calls.value == 1)
        events.removeLast()
        #expect(calls.value == 2)
    }

    @Test func changedSourceTakesOverPendingValues() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Cell<[String]>([])
        func config(_ period: String, _ inFlight: Int) -> String {
            """
            sources: { tick: { interval: { every: \(period), inFlight: \(inFlight) } } }
            pipelines: { p: { from: tick, steps: [map: .tick, delay: 100s], to: [stdout] } }
            """
        }
        var old: Graph? = try Graph(of: config("10s", 1), on: scheduler, lines: lines)
        old?.start { _ in }
        scheduler.advanceTo(35)
        var new: Graph? = try Graph(of: config("10000ms", 3), replacing: old, on: scheduler, lines: lines)
        new?.take(placeOf: old)
        scheduler.advanceTo(36)
        // The old pipeline's delayed event is in flight in the new pipeline.
        #expect(new?.unsettledCounts == ["tick": 1] && new?.unsettled.map(\.value["tick"]) == [0, 2])
        scheduler.advanceTo(52)
        #expect(new?.unsettledCounts == ["tick": 2])
        scheduler.advanceTo(150)
        #expect(lines.value.prefix(3) == ["135 0", "135 2", "145 0"])
        new?.dispose()
        (old, new) = (nil, nil)
        scheduler.start()
    }

    @Test func restartedSourceEmitsPendingValues() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let log = Cell<[JSON]>([])
        let values = PublishSubject<SourceValue>()
        let intake = Intake(
            "s", on: scheduler, limit: 1, backpressure: .latest, redelivering: [], onProgress: { _ in },
            record: { _, _, _ in },
            onLeft: {})
        let held = Cell<[PipelineEvent]>([])
        let source = Observable<PipelineEvent>.source { intake.run(values, into: $0) }
        func subscribe() -> any Disposable {
            source.subscribe(onNext: { event in
                log.append(event.value)
                held.append(event)
            })
        }
        var subscription = subscribe()
        intake.open()
        scheduler.advanceTo(1)
        values.onNext(SourceValue(1))
        values.onNext(SourceValue(2))
        #expect(log.value == [1] && intake.count == 2)
        subscription.dispose()
        held.update { $0 = [] }
        scheduler.advanceTo(2)
        subscription = subscribe()
        scheduler.advanceTo(3)
        #expect(log.value == [1, 2])
        // A closed intake rejects new values and keeps the pending ones.
        values.onNext(SourceValue(3))
        intake.unsettled.close()
        held.update { $0 = [] }
        scheduler.advanceTo(4)
        values.onNext(SourceValue(4))
        #expect(log.value == [1, 2] && intake.all.map(\.value) == [3])
        subscription.dispose()
    }
}
