import Dispatch
import Glibc
import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// Tests of records about sources: armed, lost and regained.
@Suite(.balanced) struct SourceRecordTests {
    /// A source with the behavior that a test gives it.
    private struct Fake: SourceKind {
        let make: @Sendable (SourceContext) -> Observable<JSON>
        var summary: String { "fake" }
        var armsLater: Bool { true }
        func events(in context: SourceContext) -> Observable<JSON> { make(context) }
    }

    /// The plan of a configuration, with another source in place of one of its sources.
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

    @Test func failedSourceIsRecorded() throws {
        let failures = try errors {
            let rig = Rig(try plan(Self.config, "tick") { _ in .error(TestError("no bus")) })
            rig.run(until: 0)
            let record = try #require(rig.records.all(.source).first)
            #expect(record.message == "tick: failed: no bus" && record.priority == .err)
            #expect(record[.source] == "tick" && record[.error] == "no bus" && record[.errorType] == "TestError")
            rig.drop()
        }
        #expect(failures.count == 1)
    }

    @Test func degradedSourceIsRecorded() throws {
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

    /// A graph that prints into `lines`, each line with its time.
    private func graph(_ plan: Plan, _ previous: Graph?, on scheduler: TestScheduler, _ lines: Cell<[String]>) -> Graph
    {
        Graph(
            plan, replacing: previous, generation: { 1 }, host: .inline(), records: RecordLog(scheduler),
            printLine: { line, receipt in
                lines.append("\(scheduler.clock) \(line)")
                receipt.end(.written)
            }, makeScheduler: { _ in scheduler })
    }

    /// A graph whose source cannot be armed does not replace the running graph, which is not affected.
    @Test func graphThatCannotBeArmedChangesNothing() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Cell<[String]>([])
        func graph(_ plan: Plan, _ previous: Graph?) -> Graph { self.graph(plan, previous, on: scheduler, lines) }
        var old: Graph? = graph(try Plan.read(Self.config.utf8, file: "t.yaml"), nil)
        old?.start { _ in }
        scheduler.advanceTo(25)
        let more = Self.config.replacing("sources: {", "sources: { log: { journal: {} },")
            .replacing("pipelines: {", "pipelines: { q: { merge: [tick, log], to: [stdout] },")
        let reports = Cell<[String]>([])
        let found = try errors {
            var new: Graph? = graph(try plan(more, "log") { _ in .error(TestError("not readable")) }, old)
            new?.start { failures in reports.update { $0 += failures.map(\.description) } }
            scheduler.advanceTo(26)
            #expect(reports.value == ["log cannot be armed: not readable"])
            new?.dispose()
            new = nil
        }
        // Nothing of it was started: a source failed, and no pipeline.
        #expect(found.isEmpty)
        scheduler.advanceTo(45)
        #expect(lines.value == ["10 1", "20 2", "30 3", "40 4"])
        old?.dispose()
        old = nil
        scheduler.start()
    }

    /// While a source is being armed, the pipelines of the new graph receive nothing, and the old ones still do.
    @Test func nothingIsDeliveredTwiceWhileSourceIsArmed() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Cell<[String]>([])
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
        let runs = Cell(0)
        let log = try plan(config("new", ", log: { journal: {} }"), "log") { context in
            runs.update { $0 += 1 }
            return Observable<Int>.timer(.seconds(20), scheduler: context.scheduler).map { _ in
                context.armed()
                return ["tick": "from the log"]
            }
            .concat(.never())
        }
        var new: Graph? = graph(log, old)
        let isReplaced = Cell(false)
        let isArmed = Cell(false)
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

    /// The journal is opened asynchronously; a source whose journal cannot be opened is not armed.
    @Test(arguments: [true, false]) func journalSourceIsArmedWhenJournalIsOpen(isGood: Bool) async throws {
        let source = JournalSource(query: JournalQuery([JournalField(isGood ? "MESSAGE" : "no field", "x")]))
        #expect(source.armsLater)
        let reports = Cell<[String]>([])
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        let context = SourceContext(scheduler: scheduler, host: .inline(), armed: { reports.append("armed") })
        let subscription = source.events(in: context).subscribe(onError: { _ in reports.append("failed") })
        try await eventually("the result is reported") { !reports.value.isEmpty }
        #expect(reports.value == [isGood ? "armed" : "failed"])
        subscription.dispose()
    }

    @Test func unreachableServiceManagerIsRecordedOnce() async throws {
        let records = Cell<[Record]>([])
        let bus = Units(
            on: .address("unix:path=/nonexistent/bus"), firstRetry: .milliseconds(1), longestRetry: .milliseconds(1))
        let losses = Cell(0)
        let watch = bus.connection.subscribe(onNext: { if case .lost = $0 { losses.update { $0 += 1 } } })
        let config = "sources: { s: { unit: a.service } }\npipelines: { p: { from: s, to: [stdout] } }"
        var graph: Graph? = Graph(
            try Plan.read(config.utf8, file: "t.yaml"), generation: { 1 }, host: Host(units: bus),
            records: SinkRecords(records), printLine: { $1.end(.written) },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        graph?.start { _ in }
        try await eventually("the connection is retried") { losses.value > 3 }
        let reports = records.value.filter { $0[.error] != nil }
        #expect(reports.count == 1)
        let record = try #require(reports.first)
        #expect(record.kind == .source && record.priority == .warning && record[.source] == "s")
        #expect(record.message.hasPrefix("s: cannot connect to the service manager, retrying: "))
        graph?.dispose()
        graph = nil
        watch.dispose()
    }

    /// A missing path is reported when the source starts, and by a check of the configuration.
    @Test func missingPathsAreRecordedOnce() async throws {
        let folder = TemporaryDirectory()
        for name in ["empty", "other"] { mkdir("\(folder.path)/\(name)", 0o700) }
        close(open("\(folder.path)/other/a.txt", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        close(open("\(folder.path)/other/a.pem", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        let config = """
            sources:
              s: { files: { paths: ["\(folder.path)/none", "\(folder.path)/empty"] } }
              t: { files: { paths: ["\(folder.path)/empty", "\(folder.path)/other"], include: ["*.pem", "x/*"] } }
            pipelines: { p: { merge: [s, t], to: [stdout] } }
            """
        let records = Cell<[Record]>([])
        let isArmed = Cell(false)
        let plan = try Plan.read(config.utf8, file: "t.yaml")
        var graph: Graph? = Graph(
            plan, generation: { 1 }, host: Host(), records: SinkRecords(records),
            printLine: { $1.end(.written) },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        graph?.start { _ in isArmed.update { $0 = true } }
        try await eventually("the source is armed") { isArmed.value }
        let notices = records.value.filter { $0.kind == .source && $0.priority == .notice }.map(\.message)
        let expected = [
            "s: \(folder.path)/none does not exist; waiting until it does",
            "t: nothing in \(folder.path)/empty matches '*.pem' or 'x/*'; waiting until something does",
        ]
        #expect(notices.sorted() == expected)
        let found = plan.sources.flatMap { source in source.kind.notices.map { "\(source.name): \($0.message)" } }
        #expect(found == expected)
        graph?.dispose()
        graph = nil
    }

    /// Without descriptors nothing can be watched, and the path is polled instead.
    @Test func unwatchedPathIsRecorded() async {
        await #expect(processExitsWith: .success) {
            let records = Cell<[Record]>([])
            let ticks = Cell(0)
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
            try await eventually("the graph runs") { ticks.value > 3 }
            // Each source reports it once for itself.
            let second = """
                sources: { s: { files: /tmp }, t: { files: { paths: /tmp, events: created } } }
                pipelines: { p: { merge: [s, t], to: [stdout] } }
                """
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
            try await eventually("it is recorded") {
                ["s", "t"].allSatisfy { name in
                    records.value.contains { $0[.source] == name && $0[.error] != nil }
                }
            }
            // Both sources have the same path, so that one warning says it.
            let found = records.value.filter { $0.kind == .source && $0[.error] != nil }
            #expect(found.map(\.priority) == [.warning, .debug])
            let record = try #require(found.first)
            #expect(record.message.contains("is polled, not watched"), "\(record.message)")
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
