import RxEngine
import RxEngineTest
import RxJSON
import TestSupport

@testable import RxPipelines

/// Runs one config in processes that follow one another, in virtual time, with sources that a test emits from.
final class StateRig {
    let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    let lines = Box<[String]>([])
    private(set) var graph: Graph?
    private(set) var snapshot = Snapshot()
    private var sources: [String: PublishSubject<JSON>] = [:]
    private let records: RecordLog

    init() {
        records = RecordLog(scheduler)
    }

    /// A source that emits what a test says.
    private struct Given: SourceKind {
        let values: PublishSubject<JSON>
        let settings: SourceSettings

        var summary: String { "given" }
        func events(in surroundings: SourceSurroundings) -> Observable<JSON> { values.asObservable() }
    }

    /// Starts a process with what the one before has left. Each entry under `sources` emits what ``emit(_:from:)`` says.
    func start(_ config: String) throws {
        start(try Plan.read(config.utf8, file: "t.yaml"))
    }

    func start(_ plan: Plan) {
        var plan = plan
        plan.sources = plan.sources.map { source in
            let values = PublishSubject<JSON>()
            sources[source.name] = values
            return Plan.Source(
                name: source.name, kindName: "given", kind: Given(values: values, settings: source.kind.settings),
                content: source.content)
        }
        graph = Graph(
            plan, generation: { 1 }, host: Host(), records: records,
            printLine: { [lines] line, _ in lines.append(line) },
            resuming: snapshot, onChange: { _ in }, makeScheduler: { [scheduler] _ in scheduler })
        graph?.start { _ in }
        scheduler.advanceTo(scheduler.clock)
    }

    func emit(_ value: JSON, from source: String = "s") {
        sources[source]?.onNext(value)
        scheduler.advanceTo(scheduler.clock)
    }

    func complete(_ source: String = "s") {
        sources[source]?.onCompleted()
        scheduler.advanceTo(scheduler.clock)
    }

    func wait(_ seconds: TestTime) {
        scheduler.advanceTo(scheduler.clock + seconds)
    }

    /// Ends the process, as if it were killed after its snapshot.
    func kill() {
        snapshot = graph?.snapshot ?? snapshot
        snapshot.events = snapshot.events.map(\.toBeRedelivered)
        graph?.freeze()
        graph?.dispose()
        graph = nil
        // What is still scheduled finds nobody.
        scheduler.advanceTo(scheduler.clock + 1)
    }

    /// Ends the last process.
    func end() {
        kill()
        scheduler.start()
    }
}
