import RxEngine
import RxEngineTest
import RxPipelines
import Synchronization
import TestSupport

/// A graph of a configuration in virtual time, where a tick is a second, with its output and its records.
final class Rig {
    let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    /// The scheduler with a time of day that a test sets.
    let wall: WallScheduler<TestScheduler>
    let records: RecordLog
    let lines = Cell<[String]>([])
    /// The names of the schedulers that were requested.
    let components = Cell<[String]>([])
    let armed = Cell(0)
    /// The reasons for which the daemon was asked to exit.
    let exits = Cell<[String]>([])
    private(set) var graph: Graph?

    convenience init(_ config: String) throws {
        self.init(try Plan.read(config.utf8, file: "t.yaml"))
    }

    init(_ plan: Plan) {
        records = RecordLog(scheduler)
        wall = WallScheduler(scheduler)
        graph = Graph(
            plan, generation: { 7 }, host: .inline(), records: records,
            printLine: { [lines] line, receipt in
                lines.append(line)
                receipt.end(.written)
            },
            onExit: { [exits] in exits.append($0) },
            makeScheduler: { [wall, components] name in
                components.append(name)
                return wall
            })
    }

    func start() {
        graph?.start { [armed] _ in armed.update { $0 += 1 } }
    }

    /// Runs until `time`, and stops.
    func run(until time: TestTime) {
        start()
        scheduler.advanceTo(time)
        stop()
    }

    func stop() {
        graph?.dispose()
    }

    /// Releases everything, including the actions that are still scheduled.
    func drop() {
        stop()
        graph = nil
        scheduler.start()
    }
}

extension Graph {
    /// Makes a graph of `config` in virtual time. Its `stdout` sinks print into `lines`, each line with its time.
    convenience init(
        of config: String, replacing previous: Graph? = nil, on scheduler: TestScheduler, records: RecordLog? = nil,
        lines: Cell<[String]> = Cell([]), redelivered events: [UnsettledEvent] = [],
        memory: MemoryBudget = MemoryBudget(), onChange: (@Sendable (Change) -> Void)? = nil,
        onProgress: @escaping @Sendable (UnsettledEvent) -> Void = { _ in }
    ) throws {
        self.init(
            try Plan.read(config.utf8, file: "t.yaml"), replacing: previous, generation: { 1 },
            host: .inline(memory: memory),
            records: records ?? RecordLog(scheduler),
            printLine: { line, receipt in
                lines.append("\(scheduler.clock) \(line)")
                receipt.end(.written)
            }, resuming: Snapshot(events: events),
            onProgress: onProgress, onChange: onChange,
            makeScheduler: { _ in scheduler })
    }

    /// Starts this graph in place of `previous`, and disposes that.
    func take(placeOf previous: Graph?) {
        start { _ in if let previous { self.replace(previous, drain: .zero) {} } }
    }
}

/// Stores the records it gets, with their times.
final class RecordLog: RecordWriter {
    private let scheduler: TestScheduler
    private let log = Mutex<[(time: TestTime, record: Record)]>([])

    init(_ scheduler: TestScheduler) {
        self.scheduler = scheduler
    }

    func write(_ record: Record) {
        let time = scheduler.clock
        log.withLock { $0.append((time, record)) }
    }

    /// The records of these kinds.
    func all(_ kinds: RecordKind...) -> [Record] {
        log.withLock { log in log.map(\.record).filter { kinds.contains($0.kind) } }
    }

    /// The records of these kinds (default: those that `journal` sinks wrote), each as `time priority message`.
    func lines(_ kinds: RecordKind...) -> [String] {
        let kinds = kinds.isEmpty ? [.event] : kinds
        return log.withLock { log in
            log.filter { kinds.contains($0.record.kind) }.map {
                "\($0.time) \($0.record.priority) \($0.record.message)"
            }
        }
    }
}

/// Runs `body`, and returns the errors that reached the hook meanwhile. Tests of this kind run one at a time.
func errors(while body: () throws -> Void) rethrows -> [any Error] {
    let handler = Hooks.defaultErrorHandler
    let log = Cell<[any Error]>([])
    Hooks.defaultErrorHandler = { _, error in log.append(error) }
    defer { Hooks.defaultErrorHandler = handler }
    try body()
    return log.value
}
