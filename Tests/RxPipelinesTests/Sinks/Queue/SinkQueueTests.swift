import Dispatch
import RxEngine
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct SinkQueueTests {
    /// A queue whose work finishes on a test's command. Its log has `+a` for work that begins, `a` for work that is
    /// finished, and `-a` for work that is cancelled.
    final class Bench {
        let log = Cell<[String]>([])
        let records = Cell<[Record]>([])
        private let running = Cell<[String: AnyObserver<Never>]>([:])
        private(set) var line: SinkQueue?
        let isDrained = Cell(0)

        init(
            _ overlap: QueuePolicy.Overlap, _ capacity: Int = 2, _ overflow: OverflowRule = .dropOldest,
            recordsAll: Bool = false
        ) {
            var policy = QueuePolicy()
            policy.overlap = overlap
            policy.capacity = capacity
            policy.overflow = overflow
            var context = SinkContext.test(records)
            context.recordsAll = recordsAll
            line = SinkQueue(context, policy) { event in
                guard let name = event.value.string else { throw TestError("no name") }
                return name
            } work: { [log, running] name, _ in
                .create { observer in
                    if name.hasPrefix("!") {
                        observer.onError(TestError(name))
                        return Disposables.create()
                    }
                    log.append("+\(name)")
                    running.update { $0[name] = observer }
                    return Disposables.create {
                        if running.value[name] != nil { log.append("-\(name)") }
                        running.update { $0[name] = nil }
                    }
                }
            }
        }

        func receive(_ names: String...) {
            for name in names {
                _ = try? line?.receive(PipelineEvent(.string(name), source: "s", sequence: 0, time: 0))
            }
        }

        func finish(_ name: String) {
            let observer = running.value[name]
            running.update { $0[name] = nil }
            log.append(name)
            observer?.onCompleted()
        }

        func fail(_ name: String) {
            let observer = running.value[name]
            running.update { $0[name] = nil }
            observer?.onError(TestError(name))
        }

        func drain() {
            line?.drain { [isDrained] in isDrained.update { $0 += 1 } }
        }

        /// Hands over, and returns the events that were handed over.
        func handOver() -> Cell<[[String?]]> {
            let left = Cell<[[String?]]>([])
            line?.handOver { events in left.append(events.map(\.value.string)) }
            return left
        }

        func drop() {
            line?.dispose()
            line = nil
            running.update { $0 = [:] }
        }

        var figures: [Int] { [line?.queued ?? -1, line?.dropped ?? -1] }
    }

    @Test func boundedQueueKeepsLatestOrFirst() {
        for (overflow, kept) in [(OverflowRule.dropOldest, ["c", "d"]), (.dropNewest, ["b", "c"])] {
            let bench = Bench(.queue, 2, overflow)
            bench.receive("a")
            #expect(bench.log.value == ["+a"] && bench.figures == [1, 0])
            bench.receive("b", "c")
            #expect(bench.figures == [3, 0])
            bench.receive("d")
            #expect(bench.log.value == ["+a"] && bench.figures == [3, 1])
            bench.finish("a")
            #expect(bench.figures == [2, 1])
            for name in kept { bench.finish(name) }
            #expect(bench.log.value == ["+a", "a"] + kept.flatMap { ["+\($0)", $0] })
            #expect(bench.figures == [0, 1])
            // The queue is as it was at first.
            bench.receive("e", "f")
            bench.finish("e")
            bench.finish("f")
            #expect(bench.log.value.suffix(4) == ["+e", "e", "+f", "f"] && bench.figures == [0, 1])
            bench.drop()
        }
    }

    /// Two events of three million bytes may wait.
    @Test func boundedQueueIsBoundedByMemory() {
        func name(_ letter: Character, _ count: Int = 1_500_000) -> String { String(repeating: letter, count: count) }
        for (overflow, kept) in [(OverflowRule.dropOldest, ["c", "d"]), (.dropNewest, ["b", "c"])] {
            let bench = Bench(.queue, 1000, overflow)
            for letter in ["a", "b", "c", "d"] as [Character] { bench.receive(name(letter)) }
            #expect(bench.figures == [3, 1])
            let which = overflow == .dropNewest ? "new" : "the oldest"
            #expect(
                bench.records.value.map(\.message) == [
                    "p:  queue full: the 2 events that wait may take 8 MiB of memory; \(which) events are dropped from now on"
                ])
            bench.finish(name("a"))
            for letter in kept { bench.finish(name(Character(letter))) }
            #expect(bench.log.value.map { $0.suffix(1) } == (["a", "a"] + kept.flatMap { [$0, $0] }).map { $0[...] })
            // One event may be larger than the bound; small ones replace it.
            bench.receive("e", name("f", 6_000_000))
            #expect(bench.figures == [2, 1])
            bench.receive("g")
            #expect(bench.figures == [2, 2])
            bench.drop()
        }
        let bench = Bench(.queue, QueuePolicy().capacity)
        for letter in ["a", "b", "c", "d"] as [Character] { bench.receive(name(letter)) }
        #expect(bench.figures == [4, 0], "the source waits where no bound is asked for")
        bench.drop()
    }

    @Test func defaultQueueDropsNothing() throws {
        let bench = Bench(.queue, QueuePolicy().capacity)
        for _ in 0..<60_001 { bench.receive("a") }
        #expect(bench.figures == [60_001, 0])
        #expect(
            bench.records.value.map(\.message) == [
                "p:  queue is long: 50000 events are waiting; limit it with 'queue: NUMBER'"
            ])
        #expect(bench.records.value.first?.priority == .warning)
        bench.drop()
    }

    @Test(arguments: [
        ("", Int.max), (", queue: 7", 7), (", overflow: dropNewest", 50_000), (", queue: { disk: 1MiB }", .max),
    ])
    func queueIsBoundedIfConfigured(keys: String, capacity: Int) throws {
        let plan = try Plan.read(
            "sources: { s: { interval: 1s } }\npipelines: { p: { from: s, to: [file: { path: /tmp/x\(keys) }] } }".utf8,
            file: "t.yaml")
        let sink = try #require(plan.pipelines.first?.sinks.first?.kind as? FileSink)
        #expect(sink.policy.capacity == capacity)
    }

    @Test func onlyLatestEventWaits() {
        let bench = Bench(.latest)
        bench.receive("a", "b", "c", "d")
        #expect(bench.log.value == ["+a"] && bench.figures == [2, 2])
        bench.finish("a")
        bench.finish("d")
        #expect(bench.log.value == ["+a", "a", "+d", "d"] && bench.figures == [0, 2])
        bench.drop()
    }

    @Test func eventsDuringWorkAreDropped() {
        let bench = Bench(.drop)
        bench.receive("a", "b", "c")
        #expect(bench.log.value == ["+a"] && bench.figures == [1, 2])
        bench.finish("a")
        bench.receive("d")
        bench.finish("d")
        #expect(bench.log.value == ["+a", "a", "+d", "d"] && bench.figures == [0, 2])
        bench.drop()
    }

    @Test func newEventCancelsRunningWork() {
        let bench = Bench(.cancel)
        bench.receive("a", "b")
        #expect(bench.log.value == ["+a", "-a", "+b"] && bench.figures == [1, 1])
        bench.finish("b")
        bench.receive("c")
        bench.finish("c")
        #expect(bench.log.value == ["+a", "-a", "+b", "b", "+c", "c"] && bench.figures == [0, 1])
        bench.drop()
    }

    @Test(arguments: QueuePolicy.Overlap.allCases) func failureIsRecordedForOneEvent(
        overlap: QueuePolicy.Overlap
    ) {
        let bench = Bench(overlap)
        bench.receive("a")
        bench.fail("a")
        bench.receive("!b", "c")
        bench.finish("c")
        #expect(bench.log.value == ["+a", "+c", "c"] && bench.figures == [0, 0])
        #expect(bench.records.value.map(\.message) == ["p:  failed: a", "p:  failed: !b"])
        #expect(bench.records.value.allSatisfy { $0[.cause] == "s:0" && $0.kind == .sink && $0.priority == .err })
        bench.drop()
    }

    @Test func immediateFailuresDoNotNest() {
        let bench = Bench(.queue, 20_000)
        bench.receive("a")
        for _ in 0..<20_000 { bench.receive("!b") }
        #expect(bench.figures == [20_001, 0])
        onSmallStack { [bench = Unchecked(bench)] in bench.value.finish("a") }
        #expect(bench.figures == [0, 0] && bench.records.value.count == 20_000)
        bench.drop()
    }

    private struct Unchecked<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    @Test(arguments: QueuePolicy.Overlap.allCases) func drainLetsRunningWorkFinish(overlap: QueuePolicy.Overlap) {
        let bench = Bench(overlap)
        bench.receive("a")
        bench.drain()
        #expect(bench.isDrained.value == 0 && bench.figures == [1, 0])
        bench.finish("a")
        #expect(bench.isDrained.value == 1 && bench.figures == [0, 0])
        bench.drop()
        #expect(bench.isDrained.value == 1)
    }

    @Test func drainLetsWaitingEventsFinish() {
        let bench = Bench(.queue)
        bench.receive("a", "b", "c")
        bench.drain()
        for name in ["a", "b", "c"] {
            #expect(bench.isDrained.value == 0)
            bench.finish(name)
        }
        #expect(bench.isDrained.value == 1 && bench.log.value == ["+a", "a", "+b", "b", "+c", "c"])
        bench.drop()
    }

    @Test func drainOfIdleQueueIsImmediate() {
        for overlap in QueuePolicy.Overlap.allCases {
            let bench = Bench(overlap)
            bench.drain()
            #expect(bench.isDrained.value == 1)
            bench.drop()
        }
        let bench = Bench(.queue)
        bench.line?.dispose()
        bench.drain()
        #expect(bench.isDrained.value == 1)
        bench.drop()
    }

    @Test(arguments: QueuePolicy.Overlap.allCases) func disposeCancelsWork(overlap: QueuePolicy.Overlap) {
        let bench = Bench(overlap)
        let dropped = [QueuePolicy.Overlap.queue: 2, .latest: 2, .drop: 2, .cancel: 2][overlap]
        bench.receive("a", "b")
        bench.drain()
        bench.line?.dispose()
        #expect(bench.log.value == (overlap == .cancel ? ["+a", "-a", "+b", "-b"] : ["+a", "-a"]))
        #expect(bench.figures == [0, dropped] && bench.isDrained.value == 1)
        bench.drop()
    }

    @Test func handOverPassesWaitingEventsAfterRunningOne() {
        let bench = Bench(.queue, 10)
        bench.receive("a", "b", "c")
        let left = bench.handOver()
        #expect(left.value == [] && bench.figures == [3, 0])
        bench.receive("d")
        #expect(bench.figures == [3, 1])
        bench.finish("a")
        #expect(left.value == [["b", "c"]] && bench.log.value == ["+a", "a"] && bench.figures == [0, 1])
        bench.drop()
        #expect(left.value == [["b", "c"]])
    }

    @Test func eventsAfterDrainAreDroppedWithoutRecord() {
        let bench = Bench(.queue)
        bench.receive("a")
        bench.drain()
        bench.receive("b")
        bench.finish("a")
        bench.receive("c")
        #expect(bench.figures == [0, 2] && bench.records.value.isEmpty && bench.isDrained.value == 1)
        bench.drop()
    }

    /// Otherwise an event that arrives late would be settled, and lost: the next sink or process must receive it again.
    @Test func eventsAfterEndAreNotFinished() throws {
        for end in [{ $0.drain {} }, { $0.handOver { _ in } }, { $0.dispose() }] as [(SinkQueue) -> Void] {
            let bench = Bench(.queue)
            let queue = try #require(bench.line)
            end(queue)
            let isFinished = try queue.receive(PipelineEvent("a", source: "s", sequence: 0, time: 0))
            #expect(!isFinished && bench.log.value.isEmpty && bench.figures == [0, 1])
            bench.drop()
        }
    }

    @Test func handOverThenDisposePassesRunningEvent() {
        let bench = Bench(.queue, 10)
        bench.receive("a", "b")
        let left = bench.handOver()
        bench.line?.dispose()
        #expect(left.value == [["a", "b"]] && bench.log.value == ["+a", "-a"] && bench.figures == [0, 0])
        bench.drop()
    }

    @Test func handOverOfIdleOrEndedQueuePassesNothing() {
        let idle = Bench(.queue)
        #expect(idle.handOver().value == [[]])
        #expect(idle.handOver().value == [[]])
        idle.drop()
        let over = Bench(.queue)
        over.receive("a")
        over.line?.dispose()
        #expect(over.handOver().value == [[]])
        over.drop()
    }

    /// The first drop is recorded at once, and the number of drops when the queue is empty.
    @Test(arguments: [
        (OverflowRule.dropOldest, "the oldest"), (.dropNewest, "new"),
    ])
    func consecutiveDropsAreRecordedTwice(overflow: OverflowRule, which: String) throws {
        let bench = Bench(.queue, 2, overflow)
        func messages() -> [String] { bench.records.value.filter { $0.kind == .sink }.map(\.message) }
        bench.receive("a", "b", "c")
        #expect(messages() == [])
        bench.receive("d", "e")
        let first = "p:  queue full: 2 events are waiting; \(which) events are dropped from now on"
        #expect(messages() == [first] && bench.records.value.first?.priority == .warning)
        bench.finish("a")
        for name in overflow == .dropOldest ? ["d", "e"] : ["b", "c"] {
            #expect(messages() == [first])
            bench.finish(name)
        }
        #expect(messages() == [first, "p:  dropped 2 events"])
        #expect(bench.records.value.last?[.dropped] == "2")
        // The same once more.
        bench.receive("f", "g", "h", "i")
        #expect(messages().suffix(1) == [first])
        bench.line?.dispose()
        #expect(messages().suffix(1) == ["p:  dropped 1 event"])
    }

    /// Work that ends on other threads, at any moment.
    @Test func concurrentWorkIsNeitherLostNorRepeated() async throws {
        let done = Cell<[String]>([])
        let maximum = Cell([0, 0])
        var policy = QueuePolicy()
        policy.capacity = 50
        let schedulers = (0..<3).map { SerialDispatchQueueScheduler(internalSerialQueueName: "\($0)") }
        var line: SinkQueue? = SinkQueue(
            SinkContext.test(), policy
        ) {
            $0.value.string ?? ""
        } work: { name, _ in
            Observable<Never>.deferred {
                maximum.update { $0 = [$0[0] + 1, max($0[1], $0[0] + 1)] }
                done.append(name)
                maximum.update { $0[0] -= 1 }
                return .empty()
            }
            .subscribe(on: schedulers[name.utf8.count % 3])
        }
        for number in 0..<5000 {
            _ = try line?.receive(PipelineEvent(.string("\(number)"), source: "s", sequence: 0, time: 0))
        }
        let isDrained = Cell(false)
        line?.drain { isDrained.update { $0 = true } }
        try await eventually("drained") { isDrained.value }
        let numbers = done.value.compactMap { Int($0) }
        #expect(numbers == numbers.sorted() && numbers.count + (line?.dropped ?? 0) == 5000)
        #expect(numbers.last == 4999 && maximum.value == [0, 1] && line?.queued == 0)
        line?.dispose()
        line = nil
    }
}
