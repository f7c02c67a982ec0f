import Dispatch
import RxEngine
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct SinkQueueTests {
    /// A work line whose work ends when a test says so. Its log has `+a` for work that begins, `a` for work that is
    /// done, and `-a` for work that is given up.
    private final class Bench {
        let log = Box<[String]>([])
        let records = Box<[Record]>([])
        private let running = Box<[String: AnyObserver<Never>]>([:])
        private(set) var line: SinkQueue?
        let isDrained = Box(0)

        init(_ overlap: QueuePolicy.Overlap, _ capacity: Int = 2, _ overflow: OverflowRule = .dropOldest) {
            var rules = QueuePolicy()
            rules.overlap = overlap
            rules.capacity = capacity
            rules.overflow = overflow
            let context = SinkContext(
                pipeline: "p", currentGeneration: { 1 },
                host: .inline(),
                records: SinkRecords(records), printLine: { $1.end(.written) })
            line = SinkQueue(context, rules) { event in
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

        func take(_ names: String...) {
            for name in names {
                _ = try? line?.take(PipelineEvent(.string(name), source: "s", sequence: 0, time: 0))
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
        func handOver() -> Box<[[String?]]> {
            let left = Box<[[String?]]>([])
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

    @Test func aQueueKeepsTheLatestOrTheFirst() {
        for (overflow, kept) in [(OverflowRule.dropOldest, ["c", "d"]), (.dropNewest, ["b", "c"])] {
            let bench = Bench(.queue, 2, overflow)
            bench.take("a")
            #expect(bench.log.value == ["+a"] && bench.figures == [1, 0])
            bench.take("b", "c")
            #expect(bench.figures == [3, 0])
            bench.take("d")
            #expect(bench.log.value == ["+a"] && bench.figures == [3, 1])
            bench.finish("a")
            #expect(bench.figures == [2, 1])
            for name in kept { bench.finish(name) }
            #expect(bench.log.value == ["+a", "a"] + kept.flatMap { ["+\($0)", $0] })
            #expect(bench.figures == [0, 1])
            // It is as at first.
            bench.take("e", "f")
            bench.finish("e")
            bench.finish("f")
            #expect(bench.log.value.suffix(4) == ["+e", "e", "+f", "f"] && bench.figures == [0, 1])
            bench.drop()
        }
    }

    @Test func defaultQueueDropsNothing() throws {
        let bench = Bench(.queue, QueuePolicy().capacity)
        for _ in 0..<60_001 { bench.take("a") }
        #expect(bench.figures == [60_001, 0])
        #expect(
            bench.records.value.map(\.message) == ["p:  queue is long: 50000 events are waiting; 'queue' sets a bound"])
        #expect(bench.records.value.first?.priority == .warning)
        bench.drop()
    }

    @Test(arguments: [
        ("", Int.max), (", queue: 7", 7), (", overflow: dropNewest", 50_000), (", queue: { disk: 1MiB }", .max),
    ])
    func queueIsBoundedWhereTheConfigAsks(keys: String, capacity: Int) throws {
        let plan = try Plan.read(
            "sources: { s: { interval: 1s } }\npipelines: { p: { from: s, to: [file: { path: /tmp/x\(keys) }] } }".utf8,
            file: "t.yaml")
        let sink = try #require(plan.pipelines.first?.sinks.first?.kind as? FileSink)
        #expect(sink.rules.capacity == capacity)
    }

    @Test func onlyTheLatestWaits() {
        let bench = Bench(.latest)
        bench.take("a", "b", "c", "d")
        #expect(bench.log.value == ["+a"] && bench.figures == [2, 2])
        bench.finish("a")
        bench.finish("d")
        #expect(bench.log.value == ["+a", "a", "+d", "d"] && bench.figures == [0, 2])
        bench.drop()
    }

    @Test func whatComesMeanwhileIsDropped() {
        let bench = Bench(.drop)
        bench.take("a", "b", "c")
        #expect(bench.log.value == ["+a"] && bench.figures == [1, 2])
        bench.finish("a")
        bench.take("d")
        bench.finish("d")
        #expect(bench.log.value == ["+a", "a", "+d", "d"] && bench.figures == [0, 2])
        bench.drop()
    }

    @Test func whatComesCancelsWhatIsBeingDone() {
        let bench = Bench(.cancel)
        bench.take("a", "b")
        #expect(bench.log.value == ["+a", "-a", "+b"] && bench.figures == [1, 1])
        bench.finish("b")
        bench.take("c")
        bench.finish("c")
        #expect(bench.log.value == ["+a", "-a", "+b", "b", "+c", "c"] && bench.figures == [0, 1])
        bench.drop()
    }

    @Test(arguments: QueuePolicy.Overlap.allCases) func aFailureIsRecordedAndConcernsOneEvent(
        overlap: QueuePolicy.Overlap
    ) {
        let bench = Bench(overlap)
        bench.take("a")
        bench.fail("a")
        bench.take("!b", "c")
        bench.finish("c")
        #expect(bench.log.value == ["+a", "+c", "c"] && bench.figures == [0, 0])
        #expect(bench.records.value.map(\.message) == ["p:  failed: a", "p:  failed: !b"])
        #expect(bench.records.value.allSatisfy { $0[.cause] == "s:0" && $0.kind == .sink && $0.priority == .err })
        bench.drop()
    }

    @Test func manyThatFailAtOnceDoNotNest() {
        let bench = Bench(.queue, 20_000)
        bench.take("a")
        for _ in 0..<20_000 { bench.take("!b") }
        #expect(bench.figures == [20_001, 0])
        onSmallStack { [bench = Unchecked(bench)] in bench.value.finish("a") }
        #expect(bench.figures == [0, 0] && bench.records.value.count == 20_000)
        bench.drop()
    }

    private struct Unchecked<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    @Test(arguments: QueuePolicy.Overlap.allCases) func drainingLetsItFinish(overlap: QueuePolicy.Overlap) {
        let bench = Bench(overlap)
        bench.take("a")
        bench.drain()
        #expect(bench.isDrained.value == 0 && bench.figures == [1, 0])
        bench.finish("a")
        #expect(bench.isDrained.value == 1 && bench.figures == [0, 0])
        bench.drop()
        #expect(bench.isDrained.value == 1)
    }

    @Test func drainingLetsAllThatWaitsFinish() {
        let bench = Bench(.queue)
        bench.take("a", "b", "c")
        bench.drain()
        for name in ["a", "b", "c"] {
            #expect(bench.isDrained.value == 0)
            bench.finish(name)
        }
        #expect(bench.isDrained.value == 1 && bench.log.value == ["+a", "a", "+b", "b", "+c", "c"])
        bench.drop()
    }

    @Test func drainingOneThatIsIdleIsDoneAtOnce() {
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

    @Test(arguments: QueuePolicy.Overlap.allCases) func disposingGivesUp(overlap: QueuePolicy.Overlap) {
        let bench = Bench(overlap)
        let dropped = [QueuePolicy.Overlap.queue: 2, .latest: 2, .drop: 2, .cancel: 2][overlap]
        bench.take("a", "b")
        bench.drain()
        bench.line?.dispose()
        #expect(bench.log.value == (overlap == .cancel ? ["+a", "-a", "+b", "-b"] : ["+a", "-a"]))
        #expect(bench.figures == [0, dropped] && bench.isDrained.value == 1)
        bench.drop()
    }

    @Test func handOverPassesWaitingEventsAfterTheRunningOne() {
        let bench = Bench(.queue, 10)
        bench.take("a", "b", "c")
        let left = bench.handOver()
        #expect(left.value == [] && bench.figures == [3, 0])
        bench.take("d")
        #expect(bench.figures == [3, 1])
        bench.finish("a")
        #expect(left.value == [["b", "c"]] && bench.log.value == ["+a", "a"] && bench.figures == [0, 1])
        bench.drop()
        #expect(left.value == [["b", "c"]])
    }

    @Test func eventsAfterDrainingAreDroppedWithoutARecord() {
        let bench = Bench(.queue)
        bench.take("a")
        bench.drain()
        bench.take("b")
        bench.finish("a")
        bench.take("c")
        #expect(bench.figures == [0, 2] && bench.records.value.isEmpty && bench.isDrained.value == 1)
        bench.drop()
    }

    @Test func handOverThenDisposePassesTheRunningEventToo() {
        let bench = Bench(.queue, 10)
        bench.take("a", "b")
        let left = bench.handOver()
        bench.line?.dispose()
        #expect(left.value == [["a", "b"]] && bench.log.value == ["+a", "-a"] && bench.figures == [0, 0])
        bench.drop()
    }

    @Test func handOverOfAnIdleOrEndedQueuePassesNothing() {
        let idle = Bench(.queue)
        #expect(idle.handOver().value == [[]])
        #expect(idle.handOver().value == [[]])
        idle.drop()
        let over = Bench(.queue)
        over.take("a")
        over.line?.dispose()
        #expect(over.handOver().value == [[]])
        over.drop()
    }

    @Test func waitingEventsAreWorkedOnInBatches() {
        let running = Box<AnyObserver<Never>?>(nil)
        let log = Box<[[String]]>([])
        var line: SinkQueue? = SinkQueue(
            SinkContext(
                pipeline: "p", currentGeneration: { 1 }, host: .inline(),
                records: SinkRecords(Box([])),
                printLine: { $1.end(.written) }), QueuePolicy(), most: 3
        ) {
            $0.value.string ?? ""
        } workOff: { _, jobs, _ in
            .create { observer in
                log.append(jobs.map(\.job))
                running.update { $0 = observer }
                return Disposables.create()
            }
        }
        for name in ["a", "b", "c", "d", "e"] {
            _ = try? line?.take(PipelineEvent(.string(name), source: "s", sequence: 0, time: 0))
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

    /// A kill repeats what is not noted: that is one event at most.
    @Test func nextEventWaitsUntilTheLastIsNoted() async throws {
        let waiting = Box<[@Sendable () -> Void]>([])
        let log = Box<[String]>([])
        var line: SinkQueue? = SinkQueue(
            SinkContext(
                pipeline: "p", currentGeneration: { 1 }, host: .inline(),
                records: SinkRecords(Box([])),
                printLine: { $1.end(.written) },
                whenNoted: { body in
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
            _ = try? line?.take(PipelineEvent(.string(name), source: "s", sequence: 0, time: 0))
        }
        #expect(log.value == ["a"] && line?.queued == 2)
        let isDrained = Box(false)
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
        try await eventually("it has drained") { isDrained.value }
        line?.dispose()
        line = nil
        waiting.update { $0 = [] }
    }

    @Test func oneThatIsLetGoGivesUp() {
        let bench = Bench(.queue)
        bench.take("a", "b")
        bench.drop()
        #expect(bench.log.value == ["+a", "-a"])
    }

    /// It fails when its turn has come.
    @Test func eventWithoutAJobFails() throws {
        let bench = Bench(.queue)
        bench.take("a")
        #expect(try bench.line?.take(PipelineEvent(5, source: "s", sequence: 7, time: 0)) == false)
        bench.take("b")
        #expect(bench.figures == [3, 0] && bench.records.value.isEmpty)
        bench.finish("a")
        #expect(bench.log.value == ["+a", "a", "+b"] && bench.figures == [1, 0])
        #expect(bench.records.value.map { "\($0[.cause] ?? "") \($0[.error] ?? "")" } == ["s:7 no name"])
        bench.drop()
    }

    /// An event without a job neither takes the place of another nor cancels its work.
    @Test(arguments: [QueuePolicy.Overlap.queue, .latest, .cancel])
    func eventWithoutAJobDisplacesNone(overlap: QueuePolicy.Overlap) {
        let bench = Bench(overlap, 1)
        bench.take("a", "b")
        let (log, figures) = (bench.log.value, bench.figures)
        #expect(throws: TestError("no name")) {
            try bench.line?.take(PipelineEvent(5, source: "s", sequence: 0, time: 0))
        }
        #expect(bench.log.value == log && bench.figures == figures && bench.records.value.isEmpty)
        bench.drop()
    }

    /// Where the event that comes is dropped, it does not matter what it is.
    @Test(arguments: [(QueuePolicy.Overlap.drop, OverflowRule.dropOldest), (.queue, .dropNewest)])
    func eventWithoutAJobIsDropped(overlap: QueuePolicy.Overlap, overflow: OverflowRule) throws {
        let bench = Bench(overlap, 1, overflow)
        bench.take("a", "b")
        let before = bench.figures
        #expect(try bench.line?.take(PipelineEvent(5, source: "s", sequence: 0, time: 0)) == false)
        #expect(bench.figures == [before[0], before[1] + 1])
        bench.drop()
    }

    /// A sink that is disposed of while it prepares a batch begins nothing of it, and has ended when that is sure.
    @Test(arguments: [true, false]) func disposalDuringPreparation(isDraining: Bool) async throws {
        let (isPreparing, begun, isDrained) = (Box(false), Box<[String]>([]), Box(false))
        let mayGoOn = DispatchSemaphore(value: 0)
        let queue = SinkQueue(
            SinkContext(
                pipeline: "p", currentGeneration: { 1 }, host: Host(), records: SinkRecords(Box([])),
                printLine: { $1.end(.written) }), QueuePolicy(), most: 3, blocks: true
        ) { event in
            isPreparing.update { $0 = true }
            mayGoOn.wait()
            return event.value.string ?? ""
        } workOff: { batch, jobs, _ in
            begun.update { $0 += jobs.map(\.job) }
            return .empty()
        }
        for name in ["a", "b"] {
            #expect(try queue.take(PipelineEvent(.string(name), source: "s", sequence: 0, time: 0)) == false)
        }
        try await eventually("it prepares") { isPreparing.value }
        if isDraining { queue.drain { isDrained.update { $0 = true } } }
        queue.dispose()
        #expect(!isDrained.value)
        mayGoOn.signal()
        try await eventually("it has ended") { isDraining ? isDrained.value : queue.queued == 0 }
        #expect(begun.value == [])
    }

    /// The first drop is recorded at once, and their number when the queue is empty.
    @Test(arguments: [
        (OverflowRule.dropOldest, "the oldest"), (.dropNewest, "new"),
    ])
    func aRunOfDropsIsRecordedTwice(overflow: OverflowRule, which: String) throws {
        let bench = Bench(.queue, 2, overflow)
        func told() -> [String] { bench.records.value.filter { $0.kind == .sink }.map(\.message) }
        bench.take("a", "b", "c")
        #expect(told() == [])
        bench.take("d", "e")
        let first = "p:  queue full: 2 events are waiting; \(which) events are dropped from now on"
        #expect(told() == [first] && bench.records.value.first?.priority == .warning)
        bench.finish("a")
        for name in overflow == .dropOldest ? ["d", "e"] : ["b", "c"] {
            #expect(told() == [first])
            bench.finish(name)
        }
        #expect(told() == [first, "p:  dropped 2 events"])
        #expect(bench.records.value.last?[.dropped] == "2")
        // And so again.
        bench.take("f", "g", "h", "i")
        #expect(told().suffix(1) == [first])
        bench.line?.dispose()
        #expect(told().suffix(1) == ["p:  dropped 1 event"])
    }

    /// Work that ends on other threads, at any moment.
    @Test func nothingIsLostOrDoneTwice() async throws {
        let done = Box<[String]>([])
        let most = Box([0, 0])
        var rules = QueuePolicy()
        rules.capacity = 50
        let schedulers = (0..<3).map { SerialDispatchQueueScheduler(internalSerialQueueName: "\($0)") }
        var line: SinkQueue? = SinkQueue(
            SinkContext(
                pipeline: "p", currentGeneration: { 1 }, host: .inline(),
                records: SinkRecords(Box([])),
                printLine: { $1.end(.written) }), rules
        ) {
            $0.value.string ?? ""
        } work: { name, _ in
            Observable<Never>.deferred {
                most.update { $0 = [$0[0] + 1, max($0[1], $0[0] + 1)] }
                done.append(name)
                most.update { $0[0] -= 1 }
                return .empty()
            }
            .subscribe(on: schedulers[name.utf8.count % 3])
        }
        for number in 0..<5000 {
            _ = try line?.take(PipelineEvent(.string("\(number)"), source: "s", sequence: 0, time: 0))
        }
        let isDrained = Box(false)
        line?.drain { isDrained.update { $0 = true } }
        try await eventually("drained") { isDrained.value }
        let numbers = done.value.compactMap { Int($0) }
        #expect(numbers == numbers.sorted() && numbers.count + (line?.dropped ?? 0) == 5000)
        #expect(numbers.last == 4999 && most.value == [0, 1] && line?.queued == 0)
        line?.dispose()
        line = nil
    }
}
