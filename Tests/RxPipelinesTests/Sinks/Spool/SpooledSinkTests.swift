import Dispatch
import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// A sink with a spool whose store fails on a test's command.
@Suite(.balanced) struct SpooledSinkTests {

    let store = MemoryStore()
    let records = Cell<[Record]>([])
    let unsettled = UnsettledEventTable()
    let deadLetters = DeadLetterRouter()
    let receiving = SerialDispatchQueueScheduler(internalSerialQueueName: "receiver")

    func sink(
        limit: Int, inPlaceOf replaced: SpooledSink? = nil,
        storingIn other: MemoryStore? = nil, whenNoted: @escaping SinkContext.WhenNoted = { _ in false }
    ) throws -> (SpooledSink, FakeSink) {
        var context = SinkContext(
            pipeline: "p", currentGeneration: { 1 }, host: Host(), records: SinkRecords(records),
            printLine: { $1.end(.written) }, deadLetters: deadLetters, whenNoted: whenNoted)
        (context.sink, context.key, context.recordsAll) = ("fake", "p/fake", true)
        let fake = Cell<FakeSink?>(nil)
        let sink = SpooledSink(
            other ?? store, limit: limit, in: context,
            on: SerialDispatchQueueScheduler(internalSerialQueueName: "test"), inPlaceOf: replaced
        ) { context in
            let sink = FakeSink(context)
            fake.update { $0 = sink }
            return sink
        }
        return (sink, try #require(fake.value))
    }

    func give(_ numbers: Range<Int>, to sink: SpooledSink) {
        for number in numbers {
            let event = UnsettledEvent(
                SourceEvent("s", run: "r", sequence: UInt64(number), time: 0), .number(Double(number)))
            if let event = unsettled.accept(event)?.begun(at: "p/fake")?.event { _ = sink.receive(event) }
        }
    }

    func finishAll(_ fake: FakeSink, _ count: Int) async throws {
        try await eventually("all are done: \(fake.done.value.count)") {
            fake.finish()
            return fake.done.value.count == count
        }
        #expect(fake.done.value == (0..<count).map { .number(Double($0)) })
    }

    var messages: [String] { records.value.map(\.message) }

    @Test func eventsAreSettledWhenTheyAreStored() async throws {
        let (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<2500, to: sink)
        try await eventually("all events are stored") { unsettled.count == 0 && sink.spooled == 2500 }
        try await eventually("no event is queued") { sink.queued == 0 }
        #expect(fake.queued <= 1500)
        try await finishAll(fake, 2500)
        try await eventually("the events are removed") { store.count == 0 && sink.spooled == 0 }
        sink.dispose()
    }

    /// A stored event reaches the sink once it is noted that its source need not emit it again. No thread waits for
    /// that: there are fewer threads than there may be spools.
    @Test func spoolsWaitingForNotesBlockNoThreads() async throws {
        let pending = Locked<[@Sendable () -> Void]>([])
        let sinks = try (0..<300).map { _ in
            try sink(limit: 1 << 20, storingIn: MemoryStore()) { body in
                pending.withLock { $0.append(body) }
                return true
            }
        }
        for (number, (sink, _)) in sinks.enumerated() {
            sink.start()
            give(number..<number + 1, to: sink)
        }
        try await eventually("all wait: \(pending.withLock { $0.count })") { pending.withLock { $0.count == 300 } }
        let hasRun = Cell(false)
        DispatchQueue(label: "another").async { hasRun.update { $0 = true } }
        try await eventually("other work continues") { hasRun.value }
        #expect(sinks.allSatisfy { $0.1.queued == 0 })
        let bodies = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        for body in bodies { body() }
        try await eventually("all sinks continue") { sinks.allSatisfy { $0.1.queued == 1 } }
        for (sink, _) in sinks { sink.dispose() }
    }

    /// A stop waits for queued events: an event that is being stored would otherwise be kept twice.
    @Test func eventsBeingStoredCountAsQueued() async throws {
        let (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        let queued = Cell<[Int]>([])
        store.onUpdate.update { $0 = { [weak sink] in queued.append(sink?.queued ?? -1) } }
        give(0..<1, to: sink)
        try await eventually("the event reaches the sink") { fake.queued == 1 }
        #expect(queued.value == [1] && sink.queued == 0 && unsettled.count == 0)
        store.onUpdate.update { $0 = {} }
        try await finishAll(fake, 1)
        try await eventually("the event is removed") { store.count == 0 }
        sink.dispose()
    }

    /// Events wait in memory, unsettled, and reach the sink in order.
    @Test func failedStoreLosesNothing() async throws {
        let (sink, fake) = try sink(limit: 1 << 20)
        store.isFailing = true
        sink.start()
        give(0..<5, to: sink)
        try await eventually("the events reach the sink") { fake.queued == 5 }
        #expect(unsettled.count == 5 && store.count == 0)
        store.isFailing = false
        give(5..<10, to: sink)
        try await finishAll(fake, 10)
        try await eventually("all events are settled") { unsettled.count == 0 && store.count == 0 }
        var next = 10
        try await eventually("events are stored again") {
            if fake.queued == 0, unsettled.count == 0 {
                give(next..<next + 1, to: sink)
                next += 1
            }
            fake.finish()
            return messages.count > 1
        }
        #expect(
            messages == [
                "p: fake spool failed, retrying: disk full; events wait in memory", "p: fake spool works again",
            ])
        try await finishAll(fake, next)
        sink.dispose()
    }

    /// A full disk accepts no events. Finished events are removed nevertheless, at once, and both stored and new events
    /// reach the sink.
    @Test func fullDiskDoesNotSlowSink() async throws {
        let (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<2500, to: sink)
        try await eventually("the events are stored") { sink.spooled == 2500 && fake.queued > 0 }
        store.isFull = true
        give(2500..<2600, to: sink)
        let start = ContinuousClock.now
        for number in 0..<40 {
            fake.finish()
            let isNoted = Cell(false)
            let isPending = fake.context.whenNoted { isNoted.update { $0 = true } }
            try await eventually("\(number) is removed") { !isPending || isNoted.value }
        }
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(store.count == 2460)
        try await finishAll(fake, 2600)
        try await eventually("all events are settled") { unsettled.count == 0 && store.count == 0 }
        sink.dispose()
    }

    /// Events that a sink has finished and could not remove are not repeated by the sinks that replace it.
    @Test func eventsThatCannotBeRemovedAreNotRepeatedByNextSink() async throws {
        var (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<4, to: sink)
        try await eventually("the events reach the sink") { fake.queued == 4 }
        store.isFailing = true
        for count in [3, 2] {
            fake.finish()
            let (next, nextHeld) = try self.sink(limit: 1 << 20, inPlaceOf: sink)
            let hasEnded = Cell(false)
            sink.handOver { _ in hasEnded.update { $0 = true } }
            try await eventually("the sink has ended") { hasEnded.value }
            next.start()
            try await eventually("the others reach the next: \(nextHeld.queued)") {
                nextHeld.queued == count
            }
            sink.dispose()
            (sink, fake) = (next, nextHeld)
        }
        try await eventually("two events remain") { store.count == 4 && sink.spooled == 2 }
        store.isFailing = false
        for _ in 0..<2 { fake.finish() }
        #expect(fake.done.value == [2, 3])
        try await eventually("all events are removed") { store.count == 0 && sink.spooled == 0 }
        sink.dispose()
    }

    @Test func fullSpoolBlocksSource() async throws {
        let limit = 3 * (SpooledEvent.overhead + 1)
        let (sink, fake) = try sink(limit: limit)
        sink.start()
        give(0..<3, to: sink)
        try await eventually("the spool is full") {
            messages.contains("p: fake spool full: \(memoryText(limit)); further events wait in memory")
        }
        give(3..<6, to: sink)
        try await eventually("the other events wait in memory") { unsettled.count == 3 && sink.queued == 3 }
        try await finishAll(fake, 6)
        try await eventually("all events are settled") { unsettled.count == 0 && store.count == 0 }
        try await eventually("the free room is recorded") { messages.last == "p: fake spool has room again" }
        sink.dispose()
    }

    /// At its end, a full spool stores only events that are kept nowhere else: neither those that stay unsettled nor
    /// those that the next sink receives.
    @Test(arguments: [(true, false, 3), (false, true, 3), (false, false, 6)])
    func fullSpoolStoresAtItsEndOnlyEventsNotKeptElsewhere(isFrozen: Bool, isReplaced: Bool, count: Int) async throws {
        let (sink, fake) = try sink(limit: 3 * (SpooledEvent.overhead + 1))
        sink.start()
        give(0..<3, to: sink)
        try await eventually("the events reach the sink") { fake.queued == 3 }
        give(3..<6, to: sink)
        if isFrozen { sink.freeze() }
        let left = Cell<Int?>(nil)
        if isReplaced {
            sink.handOver { events in left.update { $0 = events.count } }
        } else {
            sink.drain { left.update { $0 = 0 } }
        }
        try await eventually("the sink has ended") { left.value != nil }
        #expect(store.count == count && left.value == (isReplaced ? 3 : 0))
        #expect(sink.dropped == 0 && !messages.contains { $0.contains("lost") })
        sink.dispose()
    }

    /// Unfinished events stay stored when the sink is replaced, and the next sink receives them first.
    @Test func replacedSinkLeavesItsEventsStored() async throws {
        let (old, fake) = try sink(limit: 1 << 20)
        old.start()
        give(0..<5, to: old)
        try await eventually("the events reach the sink") { fake.queued == 5 }
        fake.finish()
        let left = Cell<[PipelineEvent]?>(nil)
        old.handOver { events in left.update { $0 = events } }
        try await eventually("the sink has ended") { left.value != nil }
        #expect(left.value?.isEmpty == true && store.count == 4)
        old.dispose()
        // A sink without a spool of its own delivers stored events before new ones.
        let (new, next) = try sink(limit: 0)
        new.start()
        give(5..<8, to: new)
        try await eventually("all are done: \(next.done.value.count)") {
            next.finish()
            return next.done.value.count == 7
        }
        #expect(next.done.value == (1..<8).map { .number(Double($0)) })
        try await eventually("all events are settled") { unsettled.count == 0 && store.count == 0 }
        #expect(messages == ["p: fake continues: 4 events are spooled"])
        new.dispose()
    }

    /// A sink that must be ended while it is replaced hands over the events that are not stored.
    @Test func disposedSinkHandsOverUnstoredEvents() async throws {
        let (sink, fake) = try sink(limit: 1 << 20)
        store.isFailing = true
        sink.start()
        give(0..<5, to: sink)
        try await eventually("the events reach the sink") { fake.queued == 5 }
        fake.isSlow = true
        let left = Cell<[UInt64]?>(nil)
        sink.handOver { events in left.update { $0 = events.map(\.sequence) } }
        try await eventually("the sink is asked to end") { fake.isEnding }
        #expect(unsettled.count == 5)
        sink.dispose()
        try await eventually("the sink has ended") { left.value != nil }
        #expect(left.value == [0, 1, 2, 3, 4])
    }

    /// A stop keeps unfinished events, and removes finished ones.
    @Test func frozenSinkKeepsItsEvents() async throws {
        let (sink, fake) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<3, to: sink)
        try await eventually("the events reach the sink") { fake.queued == 3 }
        sink.freeze()
        fake.finish()
        let isDone = Cell(false)
        sink.drain { isDone.update { $0 = true } }
        try await eventually("the sink has ended") { isDone.value }
        sink.dispose()
        #expect(store.count == 2)
    }
}
