import Dispatch
import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// A sink behind a spool whose store fails when a test says so.
@Suite(.balanced) struct SpooledSinkTests {
    /// Stores in memory.
    private final class MemoryStore: SpoolStore {
        private struct Contents {
            var rows: [(number: Int64, event: SpooledEvent)] = []
            var next: Int64 = 1
            var isFailing = false
            var isFull = false
        }
        private let contents = Locked(Contents())
        /// Called before each update.
        let onUpdate = Box<@Sendable () -> Void> {}

        var isFailing: Bool {
            get { contents.withLock { $0.isFailing } }
            set { contents.withLock { $0.isFailing = newValue } }
        }
        /// Whether it takes no events.
        var isFull: Bool {
            get { contents.withLock { $0.isFull } }
            set { contents.withLock { $0.isFull = newValue } }
        }
        var count: Int { contents.withLock { $0.rows.count } }
        var failures: [Int64] { contents.withLock { $0.rows.filter { $0.event.failure != nil }.map(\.number) } }

        /// What the receivers of failed events have done.
        var receivers: [SinkProgress] { contents.withLock { $0.rows.compactMap { $0.event.failure?.receivers } } }

        func sinks() throws -> [String] { [] }
        func sinksReadAtOnce() -> Set<String>? { [] }
        func latestReadAtOnce() -> [LatestSpooledEvent] { [] }

        func size(of sink: String) throws -> (count: Int, bytes: Int) {
            contents.withLock { ($0.rows.count, $0.rows.reduce(0) { $0 + $1.event.bytes }) }
        }

        func lastNumber(of sink: String) throws -> Int64 { contents.withLock { $0.rows.last?.number ?? 0 } }

        func update(_ sink: String, _ changes: SpoolChanges) throws {
            onUpdate.value()
            try contents.withLock { contents in
                if contents.isFailing || contents.isFull && !changes.added.isEmpty {
                    throw TestError("disk full")
                }
                for (number, failure) in changes.failures {
                    guard let index = contents.rows.firstIndex(where: { $0.number == number }) else { continue }
                    let row = contents.rows[index].event
                    contents.rows[index].event = SpooledEvent(
                        row.event, row.value, ordinal: row.ordinal, suffix: row.suffix, failure: failure)
                }
                contents.rows.removeAll { changes.removed.contains($0.number) }
                for event in changes.added {
                    contents.rows.append((contents.next, event))
                    contents.next += 1
                }
            }
        }

        func events(of sink: String, after number: Int64, limit: Int) throws -> [(number: Int64, event: SpooledEvent?)]
        {
            contents.withLock { $0.rows.filter { $0.number > number }.prefix(limit).map { ($0.number, $0.event) } }
        }
    }

    /// A sink that finishes its first event when a test says so.
    private final class Held: OpenSink {
        let context: SinkContext
        let waiting = Locked<[PipelineEvent]>([])
        let done = Box<[JSON]>([])
        private let slow = Box(false)
        private let ending = Locked<(@Sendable () -> Void)?>(nil)

        /// Whether it ends only when it is disposed.
        var isSlow: Bool {
            get { slow.value }
            set { slow.update { $0 = newValue } }
        }
        var isEnding: Bool { ending.withLock { $0 != nil } }

        init(_ context: SinkContext) {
            self.context = context
        }

        var queued: Int { waiting.withLock { $0.count } }
        func take(_ event: PipelineEvent) -> Bool {
            waiting.withLock { $0.append(event) }
            return false
        }
        func fail() {
            let event = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let event { context.fail(TestError("no"), on: event) }
        }
        func finish() {
            let event = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let event else { return }
            done.append(event.value)
            context.finish(event)
        }
        func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
            let end: @Sendable () -> Void = {
                done(
                    self.waiting.withLock { waiting in
                        defer { waiting = [] }
                        return waiting
                    })
            }
            if isSlow { ending.withLock { $0 = end } } else { end() }
        }
        func dispose() {
            ending.withLock { $0.take() }?()
            waiting.withLock { $0 = [] }
        }
    }

    private let store = MemoryStore()
    private let records = Box<[Record]>([])
    private let unsettled = Unsettled()
    private let deadLetters = DeadLetters()
    private let receiving = SerialDispatchQueueScheduler(internalSerialQueueName: "receiver")

    private func sink(
        limit: Int, inPlaceOf predecessor: SpooledSink? = nil,
        storingIn other: MemoryStore? = nil, whenNoted: @escaping SinkContext.WhenNoted = { _ in false }
    ) throws -> (SpooledSink, Held) {
        var context = SinkContext(
            pipeline: "p", currentGeneration: { 1 }, host: Host(), records: SinkRecords(records),
            printLine: { $1.end(.written) }, deadLetters: deadLetters, whenNoted: whenNoted)
        (context.sink, context.key) = ("held", "p/held")
        let held = Box<Held?>(nil)
        let sink = SpooledSink(
            other ?? store, limit: limit, in: context,
            on: SerialDispatchQueueScheduler(internalSerialQueueName: "test"), inPlaceOf: predecessor
        ) { context in
            let sink = Held(context)
            held.update { $0 = sink }
            return sink
        }
        return (sink, try #require(held.value))
    }

    private func give(_ numbers: Range<Int>, to sink: SpooledSink) {
        for number in numbers {
            let event = UnsettledEvent(
                SourceEvent("s", run: "r", sequence: UInt64(number), time: 0), .number(Double(number)))
            if let event = unsettled.accept(event)?.begun(at: "p/held")?.event { _ = sink.take(event) }
        }
    }

    private func finishAll(_ held: Held, _ count: Int) async throws {
        try await eventually("all are done: \(held.done.value.count)") {
            held.finish()
            return held.done.value.count == count
        }
        #expect(held.done.value == (0..<count).map { .number(Double($0)) })
    }

    private var messages: [String] { records.value.map(\.message) }

    @Test func eventsAreSettledWhenTheyAreStored() async throws {
        let (sink, held) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<2500, to: sink)
        try await eventually("all are stored") { unsettled.count == 0 && sink.spooled == 2500 }
        try await eventually("none is queued") { sink.queued == 0 }
        #expect(held.queued <= 1500)
        try await finishAll(held, 2500)
        try await eventually("they are removed") { store.count == 0 && sink.spooled == 0 }
        sink.dispose()
    }

    /// A stored event reaches the sink when it is noted that its source need not emit it again. No thread waits for
    /// that: there are fewer threads than there may be spools.
    @Test func spoolsThatWaitForNotesHoldNoThreads() async throws {
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
        let hasRun = Box(false)
        DispatchQueue(label: "another").async { hasRun.update { $0 = true } }
        try await eventually("other work goes on") { hasRun.value }
        #expect(sinks.allSatisfy { $0.1.queued == 0 })
        let bodies = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        for body in bodies { body() }
        try await eventually("all go on") { sinks.allSatisfy { $0.1.queued == 1 } }
        for (sink, _) in sinks { sink.dispose() }
    }

    /// A stop waits for what is queued: an event that is being stored would be kept a second time.
    @Test func eventsThatAreBeingStoredAreQueued() async throws {
        let (sink, held) = try sink(limit: 1 << 20)
        sink.start()
        let queued = Box<[Int]>([])
        store.onUpdate.update { $0 = { [weak sink] in queued.append(sink?.queued ?? -1) } }
        give(0..<1, to: sink)
        try await eventually("it reaches the sink") { held.queued == 1 }
        #expect(queued.value == [1] && sink.queued == 0 && unsettled.count == 0)
        store.onUpdate.update { $0 = {} }
        try await finishAll(held, 1)
        try await eventually("it is removed") { store.count == 0 }
        sink.dispose()
    }

    /// Events wait in memory, unsettled, and go to the sink in their order.
    @Test func storeThatFailsLosesNothing() async throws {
        let (sink, held) = try sink(limit: 1 << 20)
        store.isFailing = true
        sink.start()
        give(0..<5, to: sink)
        try await eventually("they reach the sink") { held.queued == 5 }
        #expect(unsettled.count == 5 && store.count == 0)
        store.isFailing = false
        give(5..<10, to: sink)
        try await finishAll(held, 10)
        try await eventually("all are settled") { unsettled.count == 0 && store.count == 0 }
        var next = 10
        try await eventually("events are stored again") {
            if held.queued == 0, unsettled.count == 0 {
                give(next..<next + 1, to: sink)
                next += 1
            }
            held.finish()
            return messages.count > 1
        }
        #expect(
            messages == [
                "p: held spool failed, retrying: disk full; events wait in memory", "p: held spool works again",
            ])
        try await finishAll(held, next)
        sink.dispose()
    }

    /// A full disk takes no events. What the sink has done is removed all the same, at once, and both what is stored
    /// and what comes reach the sink.
    @Test func fullDiskDoesNotSlowTheSink() async throws {
        let (sink, held) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<2500, to: sink)
        try await eventually("they are stored") { sink.spooled == 2500 && held.queued > 0 }
        store.isFull = true
        give(2500..<2600, to: sink)
        let start = ContinuousClock.now
        for number in 0..<40 {
            held.finish()
            let isNoted = Box(false)
            let isPending = held.context.whenNoted { isNoted.update { $0 = true } }
            try await eventually("\(number) is removed") { !isPending || isNoted.value }
        }
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(store.count == 2460)
        try await finishAll(held, 2600)
        try await eventually("all are settled") { unsettled.count == 0 && store.count == 0 }
        sink.dispose()
    }

    /// What a sink has finished and could not remove is not repeated by those that replace it.
    @Test func eventsThatCannotBeRemovedAreNotRepeatedByTheNextSink() async throws {
        var (sink, held) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<4, to: sink)
        try await eventually("they reach the sink") { held.queued == 4 }
        store.isFailing = true
        for count in [3, 2] {
            held.finish()
            let (next, nextHeld) = try self.sink(limit: 1 << 20, inPlaceOf: sink)
            let hasEnded = Box(false)
            sink.handOver { _ in hasEnded.update { $0 = true } }
            try await eventually("it has ended") { hasEnded.value }
            next.start()
            try await eventually("the others reach the next: \(nextHeld.queued)") {
                nextHeld.queued == count
            }
            sink.dispose()
            (sink, held) = (next, nextHeld)
        }
        try await eventually("two are left to do") { store.count == 4 && sink.spooled == 2 }
        store.isFailing = false
        for _ in 0..<2 { held.finish() }
        #expect(held.done.value == [2, 3])
        try await eventually("all are removed") { store.count == 0 && sink.spooled == 0 }
        sink.dispose()
    }

    @Test func fullSpoolHoldsBackTheSource() async throws {
        let (sink, held) = try sink(limit: 3 * (SpooledEvent.overhead + 1))
        sink.start()
        give(0..<3, to: sink)
        try await eventually("it is full") { messages.contains { $0.contains("spool full") } }
        give(3..<6, to: sink)
        try await eventually("the others wait in memory") { unsettled.count == 3 && sink.queued == 3 }
        try await finishAll(held, 6)
        try await eventually("all are settled") { unsettled.count == 0 && store.count == 0 }
        try await eventually("that is recorded") { messages.last == "p: held spool has room again" }
        sink.dispose()
    }

    /// At its end, a full spool stores only what nothing else keeps: not what stays unsettled, nor what the next sink
    /// gets.
    @Test(arguments: [(true, false, 3), (false, true, 3), (false, false, 6)])
    func fullSpoolStoresAtItsEndWhatNothingElseKeeps(isFrozen: Bool, isReplaced: Bool, count: Int) async throws {
        let (sink, held) = try sink(limit: 3 * (SpooledEvent.overhead + 1))
        sink.start()
        give(0..<3, to: sink)
        try await eventually("they reach the sink") { held.queued == 3 }
        give(3..<6, to: sink)
        if isFrozen { sink.freeze() }
        let left = Box<Int?>(nil)
        if isReplaced {
            sink.handOver { events in left.update { $0 = events.count } }
        } else {
            sink.drain { left.update { $0 = 0 } }
        }
        try await eventually("it has ended") { left.value != nil }
        #expect(store.count == count && left.value == (isReplaced ? 3 : 0))
        #expect(sink.dropped == 0)
        sink.dispose()
    }

    /// What the sink has not finished stays stored when it is replaced, and the next sink gets it first.
    @Test func replacedSinkLeavesItsEventsStored() async throws {
        let (old, held) = try sink(limit: 1 << 20)
        old.start()
        give(0..<5, to: old)
        try await eventually("they reach the sink") { held.queued == 5 }
        held.finish()
        let left = Box<[PipelineEvent]?>(nil)
        old.handOver { events in left.update { $0 = events } }
        try await eventually("it has ended") { left.value != nil }
        #expect(left.value?.isEmpty == true && store.count == 4)
        old.dispose()
        // One without a spool of its own delivers what is stored before what comes.
        let (new, next) = try sink(limit: 0)
        new.start()
        give(5..<8, to: new)
        try await eventually("all are done: \(next.done.value.count)") {
            next.finish()
            return next.done.value.count == 7
        }
        #expect(next.done.value == (1..<8).map { .number(Double($0)) })
        try await eventually("all are settled") { unsettled.count == 0 && store.count == 0 }
        #expect(messages == ["p: held continues: 4 events are spooled"])
        new.dispose()
    }

    /// A sink that has to be ended while it is replaced hands over what is not stored.
    @Test func disposedSinkHandsOverWhatIsNotStored() async throws {
        let (sink, held) = try sink(limit: 1 << 20)
        store.isFailing = true
        sink.start()
        give(0..<5, to: sink)
        try await eventually("they reach the sink") { held.queued == 5 }
        held.isSlow = true
        let left = Box<[UInt64]?>(nil)
        sink.handOver { events in left.update { $0 = events.map(\.sequence) } }
        try await eventually("the sink is asked to end") { held.isEnding }
        #expect(unsettled.count == 5)
        sink.dispose()
        try await eventually("it has ended") { left.value != nil }
        #expect(left.value == [0, 1, 2, 3, 4])
    }

    /// Events that a dead-letter pipeline has are removed when that has finished them, and have numbers of their own
    /// there.
    @Test func failedEventsStayStoredUntilTheyAreSettled() async throws {
        let (sink, held) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<1, to: sink)
        try await eventually("it reaches the sink") { held.queued == 1 }
        var letter = held.waiting.withLock { $0.removeFirst() } as PipelineEvent?
        #expect(letter?.begun(at: "d/x")?.event.id == "s:r:0")
        #expect(letter?.begun(at: "d/x")?.event.id == "s:r:0.1")
        letter?.finish(at: "d/x")
        #expect(store.count == 1)
        letter = nil
        try await eventually("it is removed") { store.count == 0 && sink.spooled == 0 }
        sink.dispose()
    }

    /// The events that the sink fails on, and what ends their reception.
    private func receiveFailures() -> (letters: Box<[PipelineEvent]>, receiver: any Disposable) {
        deadLetters.use(["p": ["d"]], starting: [])
        let letters = Box<[PipelineEvent]>([])
        return (
            letters,
            deadLetters.events(to: "d", on: receiving).subscribe(onNext: {
                letters.append($0)
            })
        )
    }

    /// An event that the sink failed on is passed on again, not to the sink, if the process ends before its receivers
    /// are done.
    @Test func failuresAreStored() async throws {
        let (letters, receiver) = receiveFailures()
        var (sink, held) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<3, to: sink)
        try await eventually("they reach the sink") { held.queued == 3 }
        held.fail()
        try await eventually("it is passed on") { letters.value.map(\.value["value"]) == [0] }
        try await eventually("it is noted") { store.failures == [1] }
        sink.freeze()
        sink.dispose()
        letters.update { $0 = [] }
        #expect(store.count == 3)
        (sink, held) = try self.sink(limit: 1 << 20)
        sink.start()
        try await eventually("it is passed on") { letters.value.count == 1 }
        try await eventually("the others reach the sink") { held.queued == 2 }
        #expect(letters.value.map(\.value["value"]) == [0] && letters.value.map(\.value["error"]) == ["no"])
        letters.update { $0 = [] }
        try await eventually("it is removed") { store.count == 2 }
        receiver.dispose()
        sink.dispose()
    }

    /// A receiver that has finished a failed event does not act again on it because another one has not.
    @Test func whatReceiversHaveFinishedIsStored() async throws {
        let (letters, receiver) = receiveFailures()
        var (sink, held) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<1, to: sink)
        try await eventually("it reaches the sink") { held.queued == 1 }
        held.fail()
        try await eventually("it is passed on") { letters.value.count == 1 }
        let first = try #require(letters.value.first?.begun(at: "d/fast"))
        #expect(first.event.binding["redelivered"] == false)
        first.event.finish(at: "d/fast")
        letters.value.first?.begun(at: "d/failing")?.event.fail(at: "d/failing", "why")
        try await eventually("it is stored") {
            store.receivers.map(\.done) == [["d/fast": [first.event.ordinal]]]
                && store.receivers.first?.failures.count == 1
        }
        sink.freeze()
        sink.dispose()
        letters.update { $0 = [] }
        (sink, held) = try self.sink(limit: 1 << 20)
        sink.start()
        try await eventually("it is passed on") { letters.value.count == 1 }
        #expect(letters.value.first?.begun(at: "d/fast") == nil)
        #expect(letters.value.first?.begun(at: "d/failing")?.failure == "why")
        let slow = letters.value.first?.begun(at: "d/slow")
        #expect(slow?.event.binding["redelivered"] == true && slow?.failure == nil)
        letters.update { $0 = [] }
        receiver.dispose()
        sink.dispose()
    }

    @Test func replaysAreMarkedBehindTheSpoolToo() async throws {
        let (sink, held) = try sink(limit: 1 << 20)
        sink.start()
        _ = sink.take(PipelineEvent(1, source: "s", sequence: 0, time: 0).replayed)
        try await eventually("it reaches the sink") { held.queued == 1 }
        #expect(held.waiting.withLock { $0.map(\.isReplayed) } == [true] && store.count == 1)
        // What the sink fails on is news.
        let failure = held.waiting.withLock { $0[0].failure(at: "held") }
        #expect(!failure.isReplayed && failure.id == "s:0.replay.0.held")
        held.finish()
        try await eventually("it is removed") { store.count == 0 && sink.spooled == 0 }
        sink.dispose()
    }

    /// Also for the sinks that reloads put in its place.
    @Test func whatAnEarlierProcessLeftIsMarkedAsRedelivered() async throws {
        let (before, first) = try sink(limit: 1 << 20)
        before.start()
        give(0..<2, to: before)
        try await eventually("they are stored, and reach the sink") { store.count == 2 && first.queued == 2 }
        before.freeze()
        before.dispose()
        var (sink, held) = try self.sink(limit: 1 << 20)
        sink.start()
        try await eventually("they reach the sink") { held.queued == 2 }
        give(2..<3, to: sink)
        try await eventually("the last one, too") { held.queued == 3 }
        for _ in 0..<2 {
            let (next, nextHeld) = try self.sink(limit: 1 << 20, inPlaceOf: sink)
            sink.handOver { _ in next.start() }
            try await eventually("they reach the next sink") { nextHeld.queued == 3 }
            #expect(nextHeld.waiting.withLock { $0.map(\.origin.isRedelivered) } == [true, true, false])
            sink.dispose()
            (sink, held) = (next, nextHeld)
        }
        sink.dispose()
    }

    /// A receiver begins nothing else before the spool has stored what it has done.
    @Test func receiversWaitForTheSpool() async throws {
        let (letters, receiver) = receiveFailures()
        let (sink, held) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<1, to: sink)
        try await eventually("it reaches the sink") { held.queued == 1 }
        held.fail()
        try await eventually("it is passed on and stored") { letters.value.count == 1 && store.failures == [1] }
        var context = held.context
        (context.key, context.noting) = ("d/file", { _ in false })
        let spools = context.otherSpools(of: letters.value)
        #expect(spools.count == 1 && spools.first === sink && !context.whenNoted(by: []) {})
        let mayWrite = DispatchSemaphore(value: 0)
        store.onUpdate.update { $0 = { mayWrite.wait() } }
        letters.value.first?.begun(at: "d/file")?.event.finish(at: "d/file")
        let done = Box<[[String: Set<Int>]]>([])
        let isPending = context.whenNoted(by: spools) { [store] in done.update { $0 = store.receivers.map(\.done) } }
        #expect(isPending && done.value == [])
        store.onUpdate.update { $0 = {} }
        mayWrite.signal()
        try await eventually("it is called when that is stored") {
            done.value.count == 1 && done.value[0]["d/file"] != nil
        }
        letters.update { $0 = [] }
        receiver.dispose()
        sink.dispose()
    }

    /// Two events that are made of one have the same name in the source, and the spool counts each alone.
    @Test func failedEventsOfOneSourceEventHaveDifferentIDs() async throws {
        deadLetters.use(["p": ["d"]], starting: [])
        let ids = Box<[String]>([])
        let receiver = deadLetters.events(to: "d", on: receiving).subscribe(onNext: { letter in
            for _ in 1...2 { ids.append(letter.begun(at: "d/x")?.event.id ?? "none") }
        })
        let (sink, held) = try sink(limit: 1 << 20)
        sink.start()
        let event = unsettled.accept(UnsettledEvent(SourceEvent("s", run: "r", sequence: 0, time: 0), .null))
        for _ in 1...2 { _ = sink.take(try #require(event?.begun(at: "p/held")?.event)) }
        try await eventually("they reach the sink") { held.queued == 2 }
        for _ in 1...2 { held.fail() }
        try await eventually("they are passed on") { ids.value.count == 4 }
        #expect(Set(ids.value).count == 4)
        #expect(ids.value.map { $0.prefix(12) } == ["s:r:0.0.held", "s:r:0.0.held", "s:r:0.1.held", "s:r:0.1.held"])
        receiver.dispose()
        sink.dispose()
    }

    /// A sink that replaces another does not get what that failed on, and removes it when the receivers are done.
    @Test func failedEventsOutliveTheirSink() async throws {
        let (letters, receiver) = receiveFailures()
        var sinks = [try sink(limit: 1 << 20)]
        sinks[0].0.start()
        give(0..<3, to: sinks[0].0)
        try await eventually("they reach the sink") { sinks[0].1.queued == 3 }
        for (round, count) in [(0, 2), (1, 1), (2, 0)] {
            sinks[round].1.fail()
            let (next, held) = try sink(limit: 1 << 20, inPlaceOf: sinks[round].0)
            let hasEnded = Box(false)
            sinks[round].0.handOver { _ in hasEnded.update { $0 = true } }
            try await eventually("it has ended") { hasEnded.value }
            next.start()
            try await eventually("the others reach the next") { held.queued == count && next.spooled == 3 }
            sinks[round].0.dispose()
            sinks.append((next, held))
        }
        try await eventually("they are passed on") { letters.value.map(\.value["value"]) == [0, 1, 2] }
        #expect(store.count == 3)
        letters.update { $0 = [] }
        try await eventually("they are removed") { store.count == 0 && sinks[3].0.spooled == 0 }
        receiver.dispose()
        sinks[3].0.dispose()
    }

    /// A stop keeps what the sink has not finished, and removes what it has.
    @Test func frozenSinkKeepsItsEvents() async throws {
        let (sink, held) = try sink(limit: 1 << 20)
        sink.start()
        give(0..<3, to: sink)
        try await eventually("they reach the sink") { held.queued == 3 }
        sink.freeze()
        held.finish()
        let isDone = Box(false)
        sink.drain { isDone.update { $0 = true } }
        try await eventually("it has ended") { isDone.value }
        sink.dispose()
        #expect(store.count == 2)
    }
}
