import RxEngine
import RxEngineTest
import RxJSON
import TestSupport

@testable import RxPipelines

/// Runs one config after another in one process, in virtual time, with sources that a test emits from.
final class ReloadRig {
    let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    /// What `stdout` sinks have printed, each line with its time.
    let lines = Box<[String]>([])
    private let records: RecordLog
    private(set) var graph: Graph?
    private let values = Box<[String: PublishSubject<SourceValue>]>([:])

    init() {
        records = RecordLog(scheduler)
    }

    private struct Given: SourceKind {
        let values: PublishSubject<SourceValue>
        let settings: SourceSettings

        var summary: String { "given" }
        func events(in context: SourceContext) -> Observable<JSON> { values.map(\.value) }
    }

    /// What was recorded of events in flight.
    var inFlight: [String] { records.lines(.lifecycle) }

    func run(_ config: String, drain: Duration = .seconds(10)) throws {
        var plan = try Plan.read(config.utf8, file: "t.yaml")
        plan.sources = plan.sources.map { source in
            let subject = values.value[source.name] ?? PublishSubject()
            values.update { $0[source.name] = subject }
            return Plan.Source(
                name: source.name, kindName: "given", kind: Given(values: subject, settings: source.kind.settings),
                content: source.content)
        }
        let previous = graph
        let next = Graph(
            plan, replacing: previous, generation: { 1 }, host: .inline(), records: records,
            printLine: { [lines, scheduler] line, receipt in
                lines.append("\(scheduler.clock) \(line)")
                receipt.end(.written)
            },
            onChange: { _ in }, makeScheduler: { [scheduler] _ in scheduler })
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

    /// Waits for what is left, and ends.
    ///
    /// - Returns: what was printed.
    func end(after seconds: TestTime = 0) -> [String] {
        wait(seconds)
        graph?.dispose()
        graph = nil
        values.update { $0 = [:] }
        scheduler.start()
        return lines.value
    }
}
