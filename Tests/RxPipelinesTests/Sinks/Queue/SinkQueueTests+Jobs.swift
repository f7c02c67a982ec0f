import Dispatch
import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

extension SinkQueueTests {
    @Test func waitingEventsAreProcessedInBatches() {
        let running = Cell<AnyObserver<Never>?>(nil)
        let log = Cell<[[String]]>([])
        var line: SinkQueue? = SinkQueue(
            SinkContext.test(), QueuePolicy(), maximum: 3
        ) {
            $0.value.string ?? ""
        } batchWork: { _, jobs, _ in
            .create { observer in
                log.append(jobs.map(\.job))
                running.update { $0 = observer }
                return Disposables.create()
            }
        }
        for name in ["a", "b", "c", "d", "e"] {
            _ = try? line?.receive(PipelineEvent(.string(name), source: "s", sequence: 0, time: 0))
        }
        #expect(line?.queued == 5 && line?.unfinished.map(\.value) == ["a", "b", "c", "d", "e"])
        for left in [4, 1, 0] {
            running.value?.onCompleted()
            #expect(line?.queued == left)
        }
        #expect(log.value == [["a"], ["b", "c", "d"], ["e"]])
        running.update { $0 = nil }
        line?.dispose()
        line = nil
    }

    /// It would be unknown which of its events are done.
    @Test func disposalDoesNotCancelBatchOfSeveralEvents() {
        let running = Cell<AnyObserver<Never>?>(nil)
        let disposals = Cell(0)
        var line: SinkQueue? = SinkQueue(
            SinkContext.test(), QueuePolicy(), maximum: 3
        ) {
            $0.value.string ?? ""
        } batchWork: { _, _, _ in
            .create { observer in
                running.update { $0 = observer }
                return Disposables.create { disposals.update { $0 += 1 } }
            }
        }
        _ = try? line?.receive(PipelineEvent("a", source: "s", sequence: 0, time: 0))
        line?.dispose()
        #expect(disposals.value == 0 && line?.unfinished.map(\.value) == ["a"])
        running.value?.onCompleted()
        #expect(disposals.value == 1 && line?.unfinished.isEmpty == true)
        running.update { $0 = nil }
        line = nil
    }

    /// Large jobs of a batch are not all prepared at once.
    @Test func batchOfLargeJobsEndsEarly() {
        let running = Cell<AnyObserver<Never>?>(nil)
        let log = Cell<[[String]]>([])
        var line: SinkQueue? = SinkQueue(
            SinkContext.test(), QueuePolicy(), maximum: 100
        ) {
            $0.value.string ?? ""
        } batchWork: { _, jobs, _ in
            .create { observer in
                log.append(jobs.map(\.job))
                running.update { $0 = observer }
                return Disposables.create()
            }
        } size: { _ in
            3 << 20
        }
        for name in ["a", "b", "c", "d", "e", "f"] {
            _ = try? line?.receive(PipelineEvent(.string(name), source: "s", sequence: 0, time: 0))
        }
        for left in [["b", "c", "d", "e", "f"], ["e", "f"], []] as [[JSON]] {
            running.value?.onCompleted()
            #expect(line?.unfinished.map(\.value) == left && line?.queued == left.count)
        }
        #expect(log.value == [["a"], ["b", "c", "d"], ["e", "f"]] && line?.dropped == 0)
        running.update { $0 = nil }
        line?.dispose()
        line = nil
    }

    /// A kill repeats the work that is not noted, which is one event at most.
    @Test func nextEventWaitsUntilPreviousIsNoted() async throws {
        let waiting = Cell<[@Sendable () -> Void]>([])
        let log = Cell<[String]>([])
        var line: SinkQueue? = SinkQueue(
            SinkContext.test(whenNoted: { body in
                waiting.append(body)
                return true
            }), QueuePolicy()
        ) {
            $0.value.string ?? ""
        } work: { name, _ in
            .deferred {
                log.append(name)
                return .empty()
            }
        }
        for name in ["a", "b"] {
            _ = try? line?.receive(PipelineEvent(.string(name), source: "s", sequence: 0, time: 0))
        }
        #expect(log.value == ["a"] && line?.queued == 2)
        let isDrained = Cell(false)
        line?.drain { isDrained.update { $0 = true } }
        func note() {
            let bodies = waiting.value
            waiting.update { $0 = [] }
            for body in bodies { body() }
        }
        note()
        try await eventually("b begins") { log.value == ["a", "b"] && waiting.value.count == 1 }
        #expect(line?.queued == 1 && !isDrained.value)
        note()
        try await eventually("the queue is drained") { isDrained.value }
        line?.dispose()
        line = nil
        waiting.update { $0 = [] }
    }

    @Test func releasedQueueCancelsWork() {
        let bench = Bench(.queue)
        bench.receive("a", "b")
        bench.drop()
        #expect(bench.log.value == ["+a", "-a"])
    }

    /// The event fails when the queue reaches it.
    @Test func eventWithoutJobFails() throws {
        let bench = Bench(.queue)
        bench.receive("a")
        #expect(try bench.line?.receive(PipelineEvent(5, source: "s", sequence: 7, time: 0)) == false)
        bench.receive("b")
        #expect(bench.figures == [3, 0] && bench.records.value.isEmpty)
        bench.finish("a")
        #expect(bench.log.value == ["+a", "a", "+b"] && bench.figures == [1, 0])
        #expect(bench.records.value.map { "\($0[.cause] ?? "") \($0[.error] ?? "")" } == ["s:7 no name"])
        bench.drop()
    }

    /// An event without a job neither displaces another event nor cancels its work.
    @Test(arguments: [QueuePolicy.Overlap.queue, .latest, .cancel])
    func eventWithoutJobDisplacesNone(overlap: QueuePolicy.Overlap) {
        let bench = Bench(overlap, 1)
        bench.receive("a", "b")
        let (log, figures) = (bench.log.value, bench.figures)
        #expect(throws: TestError("no name")) {
            try bench.line?.receive(PipelineEvent(5, source: "s", sequence: 0, time: 0))
        }
        #expect(bench.log.value == log && bench.figures == figures && bench.records.value.isEmpty)
        bench.drop()
    }

    @Test(arguments: [
        (QueuePolicy.Overlap.queue, OverflowRule.dropOldest, ["1: the queue is full"]),
        (.queue, .dropNewest, ["2: the queue is full"]),
        (.latest, .dropOldest, ["1: a later event has taken its place"]),
        (.drop, .dropOldest, ["1: the sink is busy", "2: the sink is busy"]),
        (
            .cancel, .dropOldest,
            ["0: a later event has taken its place", "1: a later event has taken its place"]
        ),
    ]) func droppedEventHasRecord(overlap: QueuePolicy.Overlap, overflow: OverflowRule, dropped: [String]) throws {
        for recordsAll in [true, false] {
            let bench = Bench(overlap, 1, overflow, recordsAll: recordsAll)
            for number in 0..<3 as Range<UInt64> {
                _ = try bench.line?.receive(PipelineEvent("a\(number)", source: "s", sequence: number, time: 0))
            }
            let records = bench.records.value.filter { $0.priority == .debug }
            #expect(
                records.map { "\($0[.eventID] ?? "")\($0.message)" }
                    == (recordsAll ? dropped.map { "s:\($0.prefix(1))p:  dropped the event s:\($0)" } : []))
            #expect(records.allSatisfy { $0.kind == .sink && $0[.cause] == $0[.eventID] && $0[.source] == "s" })
            bench.drop()
        }
    }

    /// If the arriving event is dropped, its content does not matter.
    @Test(arguments: [(QueuePolicy.Overlap.drop, OverflowRule.dropOldest), (.queue, .dropNewest)])
    func eventWithoutJobIsDropped(overlap: QueuePolicy.Overlap, overflow: OverflowRule) throws {
        let bench = Bench(overlap, 1, overflow)
        bench.receive("a", "b")
        let before = bench.figures
        #expect(try bench.line?.receive(PipelineEvent(5, source: "s", sequence: 0, time: 0)) == false)
        #expect(bench.figures == [before[0], before[1] + 1])
        bench.drop()
    }

    /// A sink that is disposed while it prepares a batch begins no work of it, and ends when that is certain.
    @Test(arguments: [true, false]) func disposalDuringPreparation(isDraining: Bool) async throws {
        let (isPreparing, begun, isDrained) = (Cell(false), Cell<[String]>([]), Cell(false))
        let mayGoOn = DispatchSemaphore(value: 0)
        let queue = SinkQueue(
            SinkContext.test(host: Host()), QueuePolicy(), maximum: 3, blocks: true
        ) { event in
            isPreparing.update { $0 = true }
            mayGoOn.wait()
            return event.value.string ?? ""
        } batchWork: { batch, jobs, _ in
            begun.update { $0 += jobs.map(\.job) }
            return .empty()
        }
        for name in ["a", "b"] {
            #expect(try queue.receive(PipelineEvent(.string(name), source: "s", sequence: 0, time: 0)) == false)
        }
        try await eventually("the job is being prepared") { isPreparing.value }
        if isDraining { queue.drain { isDrained.update { $0 = true } } }
        queue.dispose()
        #expect(!isDrained.value)
        mayGoOn.signal()
        try await eventually("the queue has ended") { isDraining ? isDrained.value : queue.queued == 0 }
        #expect(begun.value == [])
    }

    /// A cancelled batch that is held, as that of a command whose processes still run, has lost its event: it is dropped once,
    /// and not handed over.
    @Test func cancelledEventIsDroppedOnce() throws {
        let (records, holds) = (Cell<[Record]>([]), Cell<[@Sendable () -> Void]>([]))
        var context = SinkContext.test(records)
        context.recordsAll = true
        var policy = QueuePolicy()
        policy.overlap = .cancel
        let queue = SinkQueue(context, policy, maximum: 1) { event in
            event.sequence
        } batchWork: { batch, _, _ in
            holds.append(batch.hold())
            return .never()
        }
        for number in 0..<3 as Range<UInt64> {
            #expect(try !queue.receive(PipelineEvent(.null, source: "s", sequence: number, time: 0)))
        }
        let left = Cell<[[UInt64]]>([])
        queue.handOver { events in left.append(events.map(\.sequence)) }
        #expect(left.value.isEmpty && holds.value.count == 1)
        for end in holds.value { end() }
        #expect(left.value == [[2]] && queue.dropped == 2)
        #expect(records.value.map { $0[.eventID] } == ["s:0", "s:1"])
        queue.dispose()
    }

    /// The work for the event that displaces another one begins after that is dropped.
    @Test func displacedEventIsDroppedBeforeNextBegins() throws {
        let (records, log) = (Cell<[Record]>([]), Cell<[String]>([]))
        var context = SinkContext.test(records)
        context.recordsAll = true
        var policy = QueuePolicy()
        policy.overlap = .cancel
        let queue = SinkQueue(context, policy) { event in
            event.sequence
        } work: { number, _ in
            log.append("\(number) begins, \(records.value.count) dropped")
            return .never()
        }
        for number in 0..<2 as Range<UInt64> {
            #expect(try !queue.receive(PipelineEvent(.null, source: "s", sequence: number, time: 0)))
        }
        #expect(log.value == ["0 begins, 0 dropped", "1 begins, 1 dropped"])
        queue.dispose()
    }

    /// An attempt that is not made has no time: another event has come, or another attempt is made.
    @Test(arguments: [true, false]) func nextAttemptIsKnown(isReplaced: Bool) throws {
        let scheduler = HistoricalScheduler()
        let activity = NodeActivity("p", on: scheduler)
        var context = SinkContext.test(host: Host(makeScheduler: { _ in scheduler }))
        (context.sink, context.activity) = ("http", activity)
        func queue() -> SinkQueue {
            var policy = QueuePolicy()
            policy.overlap = .cancel
            return SinkQueue(context, policy) {
                $0.value.string ?? ""
            } work: { name, retryScheduler in
                guard name == "fails" else { return .never() }
                retryScheduler.onRetry(TestError("no"))
                return Observable<Never>.never().delaySubscription(.seconds(9), scheduler: retryScheduler)
            }
        }
        func receive(_ name: String, _ number: UInt64, by queue: SinkQueue) throws {
            #expect(try !queue.receive(PipelineEvent(.string(name), source: "s", sequence: number, time: 0)))
            scheduler.advanceTo(RxTime(timeIntervalSince1970: Double(number)))
        }
        let first = queue()
        try receive("fails", 1, by: first)
        let failure = try #require(activity.summary.failures.first)
        #expect(failure.isRetried && failure.next?.timeIntervalSince1970 == 9)
        let second = isReplaced ? first : queue()
        try receive("works", 2, by: second)
        let last = try #require(activity.summary.failures.first)
        #expect(last.next.map { $0 <= scheduler.now } ?? true)
        #expect(last.isRetried == !isReplaced)
        #expect(last.message.hasSuffix("; a later event has taken its place") == isReplaced)
        first.dispose()
        second.dispose()
    }
}
