import Dispatch
import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

extension SpooledSinkTests {
    /// Events that a dead-letter pipeline receives are removed when it has finished them, and have numbers of their own
    /// there.
    @Test func failedEventsStayStoredUntilTheyAreSettled() async throws {
        let (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<1, to: sink)
        try await eventually("the event reaches the sink") { fake.queued == 1 }
        var letter = fake.waiting.withLock { $0.removeFirst() } as PipelineEvent?
        #expect(letter?.begun(at: "d/x")?.event.id == "s:r:0")
        #expect(letter?.begun(at: "d/x")?.event.id == "s:r:0.1")
        letter?.finish(at: "d/x")
        #expect(store.count == 1)
        letter = nil
        try await eventually("the event is removed") { store.count == 0 && sink.spooled == 0 }
        sink.dispose()
    }

    /// Subscribes to the events on which the sink fails; the disposable ends their reception.
    private func receiveFailures() -> (letters: Cell<[PipelineEvent]>, receiver: any Disposable) {
        deadLetters.use(["p": ["d"]], starting: [])
        let letters = Cell<[PipelineEvent]>([])
        return (
            letters,
            deadLetters.events(to: "d", on: receiving).subscribe(onNext: {
                letters.append($0)
            })
        )
    }

    /// If the process ends before the receivers of a failed event have finished, the event is passed to them again, and
    /// not to the sink.
    @Test func failuresAreStored() async throws {
        let (letters, receiver) = receiveFailures()
        var (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<3, to: sink)
        try await eventually("the events reach the sink") { fake.queued == 3 }
        fake.fail()
        try await eventually("the failed event is passed on") { letters.value.map(\.value["value"]) == [0] }
        try await eventually("the failure is stored") { store.failures == [1] }
        sink.freeze()
        sink.dispose()
        letters.update { $0 = [] }
        #expect(store.count == 3)
        (sink, fake) = try self.sink(limit: 1 << 20)
        sink.start()
        try await eventually("the failed event is passed on") { letters.value.count == 1 }
        try await eventually("the other events reach the sink") { fake.queued == 2 }
        #expect(letters.value.map(\.value["value"]) == [0] && letters.value.map(\.value["error"]) == ["no"])
        letters.update { $0 = [] }
        try await eventually("the failed event is removed") { store.count == 2 }
        receiver.dispose()
        sink.dispose()
    }

    /// A receiver that has finished a failed event does not act on it again because another receiver has not finished
    /// it.
    @Test func progressOfReceiversIsStored() async throws {
        let (letters, receiver) = receiveFailures()
        var (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<1, to: sink)
        try await eventually("the event reaches the sink") { fake.queued == 1 }
        fake.fail()
        try await eventually("the failed event is passed on") { letters.value.count == 1 }
        let first = try #require(letters.value.first?.begun(at: "d/fast"))
        #expect(first.event.binding["redelivered"] == false)
        first.event.finish(at: "d/fast")
        letters.value.first?.begun(at: "d/failing")?.event.fail(at: "d/failing", "why")
        try await eventually("the progress is stored") {
            store.receivers.map(\.done) == [["d/fast": [first.event.ordinal]]]
                && store.receivers.first?.failures.count == 1
        }
        sink.freeze()
        sink.dispose()
        letters.update { $0 = [] }
        (sink, fake) = try self.sink(limit: 1 << 20)
        sink.start()
        try await eventually("the failed event is passed on") { letters.value.count == 1 }
        #expect(letters.value.first?.begun(at: "d/fast") == nil)
        #expect(letters.value.first?.begun(at: "d/failing")?.failure == "why")
        let slow = letters.value.first?.begun(at: "d/slow")
        #expect(slow?.event.binding["redelivered"] == true && slow?.failure == nil)
        letters.update { $0 = [] }
        receiver.dispose()
        sink.dispose()
    }

    @Test func replaysStayMarkedInSpool() async throws {
        let (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        _ = sink.receive(PipelineEvent(1, source: "s", sequence: 0, time: 0).replayed)
        try await eventually("the event reaches the sink") { fake.queued == 1 }
        #expect(fake.waiting.withLock { $0.map(\.isReplayed) } == [true] && store.count == 1)
        // An event on which the sink fails is new to its receivers.
        let failure = fake.waiting.withLock { $0[0].failure(at: "fake") }
        #expect(!failure.isReplayed && failure.id == "s:0.replay.0.fake")
        fake.finish()
        try await eventually("the event is removed") { store.count == 0 && sink.spooled == 0 }
        sink.dispose()
    }

    /// Also for the sinks that replace it in reloads.
    @Test func eventsOfEarlierProcessAreMarkedAsRedelivered() async throws {
        let (before, first) = try sink(limit: 1 << 20)
        before.start()
        give(0..<2, to: before)
        try await eventually("the events are stored, and reach the sink") { store.count == 2 && first.queued == 2 }
        before.freeze()
        before.dispose()
        var (sink, fake) = try self.sink(limit: 1 << 20)
        sink.start()
        try await eventually("the events reach the sink") { fake.queued == 2 }
        give(2..<3, to: sink)
        try await eventually("the last event reaches the sink") { fake.queued == 3 }
        for _ in 0..<2 {
            let (next, nextHeld) = try self.sink(limit: 1 << 20, inPlaceOf: sink)
            sink.handOver { _ in next.start() }
            try await eventually("the events reach the next sink") { nextHeld.queued == 3 }
            #expect(nextHeld.waiting.withLock { $0.map(\.origin.isRedelivered) } == [true, true, false])
            sink.dispose()
            (sink, fake) = (next, nextHeld)
        }
        sink.dispose()
    }

    /// A receiver begins no other work before the spool has stored its progress.
    @Test func receiversWaitForSpool() async throws {
        let (letters, receiver) = receiveFailures()
        let (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<1, to: sink)
        try await eventually("the event reaches the sink") { fake.queued == 1 }
        fake.fail()
        try await eventually("the failed event is passed on and stored") {
            letters.value.count == 1 && store.failures == [1]
        }
        var context = fake.context
        (context.key, context.noting) = ("d/file", { _ in false })
        let spools = context.otherSpools(of: letters.value)
        #expect(spools.count == 1 && spools.first === sink && !context.whenNoted(by: []) {})
        let mayWrite = DispatchSemaphore(value: 0)
        store.onUpdate.update { $0 = { mayWrite.wait() } }
        letters.value.first?.begun(at: "d/file")?.event.finish(at: "d/file")
        let done = Cell<[[String: Set<Int>]]>([])
        let isPending = context.whenNoted(by: spools) { [store] in done.update { $0 = store.receivers.map(\.done) } }
        #expect(isPending && done.value == [])
        store.onUpdate.update { $0 = {} }
        mayWrite.signal()
        try await eventually("the receiver is called when its progress is stored") {
            done.value.count == 1 && done.value[0]["d/file"] != nil
        }
        letters.update { $0 = [] }
        receiver.dispose()
        sink.dispose()
    }

    /// Two events that are derived from one event have the same ID in the source, and the spool counts each of them.
    @Test func failedEventsOfOneSourceEventHaveDistinctIDs() async throws {
        deadLetters.use(["p": ["d"]], starting: [])
        let ids = Cell<[String]>([])
        let receiver = deadLetters.events(to: "d", on: receiving).subscribe(onNext: { letter in
            for _ in 1...2 { ids.append(letter.begun(at: "d/x")?.event.id ?? "none") }
        })
        let (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        let event = unsettled.accept(UnsettledEvent(SourceEvent("s", run: "r", sequence: 0, time: 0), .null))
        for _ in 1...2 { _ = sink.receive(try #require(event?.begun(at: "p/fake")?.event)) }
        try await eventually("the events reach the sink") { fake.queued == 2 }
        for _ in 1...2 { fake.fail() }
        try await eventually("the failed events are passed on") { ids.value.count == 4 }
        #expect(Set(ids.value).count == 4)
        #expect(ids.value.map { $0.prefix(12) } == ["s:r:0.0.fake", "s:r:0.0.fake", "s:r:0.1.fake", "s:r:0.1.fake"])
        receiver.dispose()
        sink.dispose()
    }

    /// A sink that replaces another does not receive the events on which that failed, and removes them when their
    /// receivers have finished.
    @Test func failedEventsSurviveTheirSink() async throws {
        let (letters, receiver) = receiveFailures()
        var sinks = [try sink(limit: 1 << 20)]
        sinks[0].0.start()
        give(0..<3, to: sinks[0].0)
        try await eventually("the events reach the sink") { sinks[0].1.queued == 3 }
        for (round, count) in [(0, 2), (1, 1), (2, 0)] {
            sinks[round].1.fail()
            let (next, fake) = try sink(limit: 1 << 20, inPlaceOf: sinks[round].0)
            let hasEnded = Cell(false)
            sinks[round].0.handOver { _ in hasEnded.update { $0 = true } }
            try await eventually("the sink has ended") { hasEnded.value }
            next.start()
            try await eventually("the other events reach the next sink") { fake.queued == count && next.spooled == 3 }
            sinks[round].0.dispose()
            sinks.append((next, fake))
        }
        try await eventually("the failed events are passed on") { letters.value.map(\.value["value"]) == [0, 1, 2] }
        #expect(store.count == 3)
        letters.update { $0 = [] }
        try await eventually("the events are removed") { store.count == 0 && sinks[3].0.spooled == 0 }
        receiver.dispose()
        sinks[3].0.dispose()
    }
}
