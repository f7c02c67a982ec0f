import Dispatch
import Glibc
import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// What is recorded about sources: that they are armed, lost and regained.
@Suite(.balanced) struct SourceRecordTests {
    /// A source that does what a test wants.
    private struct Fake: SourceKind {
        let make: @Sendable (SourceContext) -> Observable<JSON>
        var summary: String { "fake" }
        var armsLater: Bool { true }
        func events(in context: SourceContext) -> Observable<JSON> { make(context) }
    }

    /// The plan of a config, with another source in place of one.
    private func plan(
        _ config: String, _ name: String, _ make: @escaping @Sendable (SourceContext) -> Observable<JSON>
    )
        throws -> Plan
    {
        var plan = try Plan.read(config.utf8, file: "t.yaml")
        plan.sources = plan.sources.map { source in
            source.name == name
                ? Plan.Source(name: name, kindName: "fake", kind: Fake(make: make), content: "fake") : source
        }
        return plan
    }

    private static let config = """
        sources: { tick: { interval: 10s } }
        pipelines: { p: { from: tick, steps: [scan: { seed: 0, next: $state + 1 }], to: [stdout] } }
        """

    @Test func oneThatFailsIsSaidToHaveFailed() throws {
        let failures = try errors {
            let rig = Rig(try plan(Self.config, "tick") { _ in .error(TestError("no bus")) })
            rig.run(until: 0)
            let record = try #require(rig.records.all(.source).first)
            #expect(record.message == "tick: it has failed: no bus" && record.priority == .err)
            #expect(record[.source] == "tick" && record[.error] == "no bus" && record[.errorType] == "TestError")
            rig.drop()
        }
        #expect(failures.count == 1)
    }

    @Test func oneThatDoesWithoutSomethingSaysSo() throws {
        let rig = Rig(
            try plan(Self.config, "tick") { context in
                context.record(.warning, "it is slow", TestError("no room"))
                context.armed()
                return .never()
            })
        rig.run(until: 0)
        #expect(rig.records.lines(.source) == ["0 warning tick: it is slow", "0 info tick is armed: fake fake"])
        #expect(rig.records.all(.source).first?[.error] == "no room")
        rig.drop()
    }

    /// A graph that prints into `lines`, each with its time.
    private func graph(_ plan: Plan, _ previous: Graph?, on scheduler: TestScheduler, _ lines: Box<[String]>) -> Graph {
        Graph(
            plan, replacing: previous, generation: { 1 }, host: .inline(), records: RecordLog(scheduler),
            printLine: { line, receipt in
                lines.append("\(scheduler.clock) \(line)")
                receipt.end(.written)
            }, makeScheduler: { _ in scheduler })
    }

    /// A graph of which a source cannot be armed does not take the place of the one that runs, which notices nothing.
    @Test func whatCannotBeArmedChangesNothing() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Box<[String]>([])
        func graph(_ plan: Plan, _ previous: Graph?) -> Graph { self.graph(plan, previous, on: scheduler, lines) }
        var old: Graph? = graph(try Plan.read(Self.config.utf8, file: "t.yaml"), nil)
        old?.start { _ in }
        scheduler.advanceTo(25)
        let more = Self.config.replacing("sources: {", "sources: { log: { journal: {} },")
            .replacing("pipelines: {", "pipelines: { q: { merge: [tick, log], to: [stdout] },")
        let told = Box<[String]>([])
        let found = try errors {
            var new: Graph? = graph(try plan(more, "log") { _ in .error(TestError("not readable")) }, old)
            new?.start { failures in told.update { $0 += failures.map(\.description) } }
            scheduler.advanceTo(26)
            #expect(told.value == ["log cannot be armed: not readable"])
            new?.dispose()
            new = nil
        }
        // Nothing of it was started: it is a source that failed, and no pipeline.
        #expect(found.isEmpty)
        scheduler.advanceTo(45)
        #expect(lines.value == ["10 1", "20 2", "30 3", "40 4"])
        old?.dispose()
        old = nil
        scheduler.start()
    }

    /// While a source is waited for, pipelines of the new graph get to see nothing: the old ones still do.
    @Test func nothingIsToldTwiceWhileASourceIsWaitedFor() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Box<[String]>([])
        func graph(_ plan: Plan, _ previous: Graph?) -> Graph { self.graph(plan, previous, on: scheduler, lines) }
        func config(_ name: String, _ source: String) -> String {
            """
            sources: { tick: { interval: 10s }\(source) }
            pipelines: { p: { merge: [tick\(source.isEmpty ? "" : ", log")], steps: [map: '"\(name) \\(.tick)"'], to: [stdout] } }
            """
        }
        var old: Graph? = graph(try Plan.read(config("old", "").utf8, file: "t.yaml"), nil)
        old?.start { _ in }
        scheduler.advanceTo(15)
        let runs = Box(0)
        let log = try plan(config("new", ", log: { journal: {} }"), "log") { context in
            runs.update { $0 += 1 }
            return Observable<Int>.timer(.seconds(20), scheduler: context.scheduler).map { _ in
                context.armed()
                return ["tick": "from the log"]
            }
            .concat(.never())
        }
        var new: Graph? = graph(log, old)
        let isReplaced = Box(false)
        let isArmed = Box(false)
        new?.start { _ in isArmed.update { $0 = true } }
        scheduler.advanceTo(35)
        #expect(isArmed.value)
        if let old { new?.replace(old, drain: .zero) { isReplaced.update { $0 = true } } }
        scheduler.advanceTo(45)
        #expect(isReplaced.value && runs.value == 1)
        #expect(
            lines.value == [
                #"10 "old 0""#, #"20 "old 1""#, #"30 "old 2""#, #"35 "new from the log""#, #"40 "new 3""#,
            ])
        new?.dispose()
        (old, new) = (nil, nil)
        scheduler.start()
    }

    /// The journal is not open yet when it has been asked for; one that cannot be is no source that is armed.
    @Test(arguments: [true, false]) func theJournalIsArmedWhenItIsOpen(isGood: Bool) async throws {
        let source = JournalSource(query: JournalQuery([JournalField(isGood ? "MESSAGE" : "no field", "x")]))
        #expect(source.armsLater)
        let told = Box<[String]>([])
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        let context = SourceContext(scheduler: scheduler, host: .inline(), armed: { told.append("armed") })
        let subscription = source.events(in: context).subscribe(onError: { _ in told.append("failed") })
        try await eventually("it is known") { !told.value.isEmpty }
        #expect(told.value == [isGood ? "armed" : "failed"])
        subscription.dispose()
    }

    /// What a source of the journal's has led to is in the journal, too.
    @Test(arguments: [
        (["RX_CAUSE": "denied:3", "_PID": "\(getpid())"], true),
        (["RX_CAUSE": "other:3", "_PID": "\(getpid())"], false),
        (["RX_CAUSE": "denied2:3", "_PID": "\(getpid())"], false), (["RX_CAUSE": "denied:3", "_PID": "1"], false),
        (["_PID": "\(getpid())"], false), ([:], false),
        // Of a process before.
        (["RX_CAUSE": "denied:3", "_PID": "7"], true),
    ])
    func noSourceTellsOfWhatItHasLedTo(fields: [String: String], isEcho: Bool) {
        #expect(JournalSource.isEcho(of: "denied", by: [7, Int(getpid())]) { fields[$0] } == isEcho)
    }

    @Test func aServiceManagerThatCannotBeReachedIsSaidOnce() async throws {
        let records = Box<[Record]>([])
        let bus = Units(
            on: .address("unix:path=/nonexistent/bus"), firstRetry: .milliseconds(1), longestRetry: .milliseconds(1))
        let losses = Box(0)
        let watch = bus.connection.subscribe(onNext: { if case .lost = $0 { losses.update { $0 += 1 } } })
        let config = "sources: { s: { unit: a.service } }\npipelines: { p: { from: s, to: [stdout] } }"
        var graph: Graph? = Graph(
            try Plan.read(config.utf8, file: "t.yaml"), generation: { 1 }, host: Host(units: bus),
            records: SinkRecords(records), printLine: { $1.end(.written) },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        graph?.start { _ in }
        try await eventually("it is tried again") { losses.value > 3 }
        let told = records.value.filter { $0[.error] != nil }
        #expect(told.count == 1)
        let record = try #require(told.first)
        #expect(record.kind == .source && record.priority == .warning && record[.source] == "s")
        #expect(record.message.hasPrefix("s: the service manager cannot be reached, which is tried again: "))
        graph?.dispose()
        graph = nil
        watch.dispose()
    }

    /// Without descriptors nothing can be watched, and it is looked at now and then instead.
    @Test func aPathThatIsNotWatchedIsSaid() async {
        await #expect(processExitsWith: .success) {
            let records = Box<[Record]>([])
            let ticks = Box(0)
            let config = """
                sources: { tick: { interval: 1ms } }
                pipelines: { p: { from: tick, to: [stdout] } }
                """
            func start(_ config: String) throws -> Graph {
                let graph = Graph(
                    try Plan.read(config.utf8, file: "t.yaml"), generation: { 1 }, host: .inline(),
                    records: SinkRecords(records),
                    printLine: { _, receipt in
                        ticks.update { $0 += 1 }
                        receipt.end(.written)
                    },
                    makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
                graph.start { _ in }
                return graph
            }
            let first = try start(config)
            try await eventually("it runs") { ticks.value > 3 }
            let second = "sources: { s: { files: /tmp } }\npipelines: { p: { from: s, to: [stdout] } }"
            _ = try Plan.read(second.utf8, file: "t.yaml")
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let before = limit.rlim_cur
            func allow(_ descriptors: rlim_t) {
                limit.rlim_cur = descriptors
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            }
            allow(3)
            let graph = try start(second)
            try await eventually("it is said") { records.value.contains { $0[.source] == "s" && $0[.error] != nil } }
            let record = try #require(records.value.first { $0[.source] == "s" && $0[.error] != nil })
            #expect(record.priority == .warning && record.kind == .source)
            #expect(record.message.contains("is looked at now and then, not watched"), "\(record.message)")
            allow(before)
            for graph in [first, graph] { graph.dispose() }
        }
    }
}

extension String {
    fileprivate func replacing(_ text: String, _ other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
