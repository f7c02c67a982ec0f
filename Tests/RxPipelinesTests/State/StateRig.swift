import RxEngine
import RxEngineTest
import RxJSON
import TestSupport

@testable import RxPipelines

/// Runs one configuration in successive processes, in virtual time, with sources from which a test emits.
final class StateRig {
    let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    let lines = Cell<[String]>([])
    private(set) var graph: Graph?
    private(set) var snapshot = Snapshot()
    private var sources: [String: PublishSubject<SourceValue>] = [:]
    let records: RecordLog
    /// What each source has emitted so far, if sources can resume.
    private let logs = Cell<[String: [JSON]]>([:])
    private let canResume: Bool
    /// The progress of sinks since the snapshot.
    private let notes = Cell<[String: UnsettledEvent]>([:])
    /// The IDs of the events that a sink has finished.
    var finished: [String] { notes.value.keys.sorted() }

    private let memory: MemoryBudget

    /// - Parameters:
    ///   - canResume: whether sources emit again what followed the snapshot.
    ///   - memory: the limits of each process.
    init(canResume: Bool = false, memory: MemoryBudget = MemoryBudget()) {
        self.memory = memory
        self.canResume = canResume
        records = RecordLog(scheduler)
    }

    /// A source that emits the values of a test.
    private struct ManualSource: SourceKind {
        let live: PublishSubject<SourceValue>
        let log: (@Sendable () -> [JSON])?
        let settings: SourceSettings

        var summary: String { "given" }
        func events(in context: SourceContext) -> Observable<JSON> { values(in: context).map(\.value) }

        func values(in context: SourceContext) -> Observable<SourceValue> {
            guard let log else { return live.asObservable() }
            return .deferred {
                let start = context.position()?.number.map { Int($0) } ?? 0
                context.began(.number(Double(start)))
                let past = log().enumerated().dropFirst(start).map { Self.value($1, $0) }
                return .concat(
                    .from(Array(past)),
                    .deferred {
                        context.caughtUp()
                        return .empty()
                    }, live.asObservable())
            }
        }

        static func value(_ value: JSON, _ number: Int) -> SourceValue {
            SourceValue(value, position: .number(Double(number + 1)), name: EventName.make(of: "\(number)"))
        }
    }

    /// Starts a process with the state of the previous one. Each entry under `sources` emits the values of
    /// ``emit(_:from:)``.
    func start(_ config: String) throws {
        start(try Plan.read(config.utf8, file: "t.yaml"))
    }

    func start(_ plan: Plan) {
        var plan = plan
        plan.sources = plan.sources.map { source in
            let live = PublishSubject<SourceValue>()
            sources[source.name] = live
            let log = { @Sendable [logs] in logs.value[source.name] ?? [] }
            return Plan.Source(
                name: source.name, kindName: "given",
                kind: ManualSource(live: live, log: canResume ? log : nil, settings: source.kind.settings),
                content: source.content)
        }
        graph = Graph(
            plan, generation: { 1 }, host: .inline(memory: memory), records: records,
            printLine: { [lines] line, receipt in
                lines.append(line)
                receipt.end(.written)
            },
            resuming: snapshot, onProgress: { [notes] event in notes.update { $0[event.event.id] = event } },
            onChange: { _ in }, makeScheduler: { [scheduler] _ in scheduler })
        graph?.start { _ in }
        scheduler.advanceTo(scheduler.clock)
        if canResume { save() }
    }

    func emit(_ value: JSON, from source: String = "s") {
        guard canResume else {
            sources[source]?.onNext(SourceValue(value))
            return scheduler.advanceTo(scheduler.clock)
        }
        let number = logs.value[source]?.count ?? 0
        logs.update { $0[source, default: []].append(value) }
        sources[source]?.onNext(ManualSource.value(value, number))
        scheduler.advanceTo(scheduler.clock)
    }

    func complete(_ source: String = "s") {
        sources[source]?.onCompleted()
        scheduler.advanceTo(scheduler.clock)
    }

    func wait(_ seconds: TestTime) {
        scheduler.advanceTo(scheduler.clock + seconds)
    }

    /// Takes a snapshot, which includes all earlier notes.
    func save() {
        snapshot = graph?.snapshot ?? snapshot
        notes.update { $0 = [:] }
    }

    /// Ends the process, as if it were killed after its snapshot.
    func kill() {
        save()
        crash()
    }

    /// Ends the process. The last snapshot and the later notes remain.
    func crash() {
        snapshot.events = snapshot.events.map(\.toBeRedelivered)
        var notes = notes.value
        for index in snapshot.events.indices {
            if let note = notes.removeValue(forKey: snapshot.events[index].event.id) {
                snapshot.events[index].progress.add(note.progress)
            }
        }
        for (id, event) in notes {
            snapshot.finished[event.event.source, default: [:]][id] = event.progress.toBeRedelivered
        }
        graph?.freeze()
        graph?.dispose()
        graph = nil
        // The actions that are still scheduled have no effect.
        scheduler.advanceTo(scheduler.clock + 1)
    }

    /// Ends the last process.
    func end() {
        kill()
        scheduler.start()
    }
}
