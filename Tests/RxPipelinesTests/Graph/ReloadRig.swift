import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// Runs one configuration after another in one process, in virtual time, with sources from which a test emits.
final class ReloadRig {
    let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    /// The scheduler with a time of day that a test sets.
    let wall: WallScheduler<TestScheduler>
    /// Whether lines are passed on and never written.
    let isStuck = Cell(false)
    private let receipts = Cell<[WriteReceipt]>([])
    /// The lines that `stdout` sinks have printed, each with its time.
    let lines = Cell<[String]>([])
    private let records: RecordLog
    private(set) var graph: Graph?
    private var current: Plan?
    private let values = Cell<[String: PublishSubject<SourceValue>]>([:])

    init() {
        records = RecordLog(scheduler)
        wall = WallScheduler(scheduler)
    }

    private struct ManualSource: SourceKind {
        let values: PublishSubject<SourceValue>
        let settings: SourceSettings

        var summary: String { "given" }
        func events(in context: SourceContext) -> Observable<JSON> { values.map(\.value) }
    }

    /// The records of events in flight.
    var inFlight: [String] { records.lines(.lifecycle) }

    /// The records of completed pipelines.
    var completions: [String] { records.lines(.source).filter { $0.contains("has completed") } }

    /// The plan of a configuration, with sources from which the test emits.
    private func plan(_ config: String) throws -> Plan {
        var plan = try Plan.read(config.utf8, file: "t.yaml")
        plan.sources = plan.sources.map { source in
            let subject = values.value[source.name] ?? PublishSubject()
            values.update { $0[source.name] = subject }
            return Plan.Source(
                name: source.name, kindName: "given",
                kind: ManualSource(values: subject, settings: source.kind.settings),
                content: source.content)
        }
        return plan
    }

    /// What a reload of the configuration would do.
    func changes(_ config: String) throws -> GraphChanges {
        try #require(graph).changes(from: try #require(current), to: try plan(config))
    }

    func run(_ config: String, drain: Duration = .seconds(10)) throws {
        let plan = try plan(config)
        current = plan
        let previous = graph
        let next = Graph(
            plan, replacing: previous, generation: { 1 }, host: .inline(), records: records,
            printLine: { [lines, scheduler, isStuck, receipts] line, receipt in
                lines.append("\(scheduler.clock) \(line)")
                if isStuck.value { receipts.append(receipt) } else { receipt.end(.written) }
            },
            onChange: { _ in }, makeScheduler: { [wall] _ in wall })
        graph = next
        next.start { _ in
            if let previous { next.replace(previous, drain: drain) {} }
        }
        wait(0)
    }

    func emit(_ values: JSON..., from source: String = "s") {
        for value in values { self.values.value[source]?.onNext(SourceValue(value)) }
        wait(0)
    }

    func complete(_ source: String = "s") {
        values.value[source]?.onCompleted()
        wait(0)
    }

    func wait(_ seconds: TestTime) {
        scheduler.advanceTo(scheduler.clock + seconds)
    }

    /// Waits for the remaining work, and ends.
    ///
    /// - Returns: the printed lines.
    func end(after seconds: TestTime = 0) -> [String] {
        wait(seconds)
        graph?.dispose()
        graph = nil
        values.update { $0 = [:] }
        receipts.update { $0 = [] }
        scheduler.start()
        return lines.value
    }
}
