// pipelines-bench: prints the cost of pipelines, one figure a line: the name, a tab, the number.
// `Benchmarks/linux/pipelines` has the units and the limits. Arguments name the figures to be measured.
//
// A target of the package itself, since it measures internal code.
import Glibc
import RxDiagnostics
import RxEngineTest
import RxJQ
import RxJSON
import RxLinux
import RxPipelines

struct NoRecords: RecordWriter {
    func write(_ record: Record) {}
}

/// Measures and prints the figure, unless the arguments name others.
func measure(_ name: String, _ figure: () throws -> Double) rethrows {
    let wanted = CommandLine.arguments.dropFirst()
    if wanted.isEmpty || wanted.contains(name) { print("\(name)\t\(try figure())") }
}

/// The shortest of several runs.
func shortest(of runs: Int, _ body: () throws -> Void) rethrows -> Duration {
    var shortest = Duration.seconds(1000)
    for _ in 0..<runs { shortest = min(shortest, try ContinuousClock().measure(body)) }
    return shortest
}

// MARK: - Deliveries

let value: JSON = ["path": "/etc/hosts"]

/// Nanoseconds for each call of `body`.
func nanoseconds(_ body: (UInt64) -> Void) -> Double {
    let count = 1_000_000
    return shortest(of: 9) { for number in 0..<UInt64(count) { body(number) } } / .nanoseconds(count)
}

/// Nanoseconds for an event whose delivery is made, used, and settled, while another one is in flight.
func delivery(_ use: (PipelineEvent) -> Void) -> Double {
    let (unsettled, value) = (UnsettledEventTable(), value)
    let other = unsettled.accept(SourceEvent("source", run: "run", sequence: 0, time: 1), value)
    return withExtendedLifetime(other) {
        nanoseconds { number in
            let origin = SourceEvent("source", run: "run", sequence: number, time: 1)
            if let event = unsettled.accept(origin, value) { use(event) }
        }
    }
}

/// Nanoseconds for an event that is made and used without a delivery.
func eventAlone() -> Double {
    let value = value
    func use(_ event: PipelineEvent) {}
    return nanoseconds { use(PipelineEvent(value, source: "source", sequence: $0, time: 1)) }
}

measure("event") { eventAlone() }
measure("event-delivered") { delivery { _ in } }
// The cost that it adds to the event.
measure("delivery") { delivery { _ in } - eventAlone() }
measure("delivery-result") {
    delivery { event in event.changeResults { $0.add(.init(event), of: "pipeline:run/0") } }
}
measure("delivery-sink") {
    delivery { event in event.begun(at: "pipeline/file")?.event.finish(at: "pipeline/file") }
}

// MARK: - Graphs in virtual time

/// A graph whose interval ticks once a unit of time.
func graph(_ config: String, on scheduler: TestScheduler) throws -> Graph {
    let graph = Graph(
        try Plan.read(config.utf8, file: "bench.yaml"), generation: { 1 }, host: Host(), records: NoRecords(),
        printLine: { $1.end(.written) }, onChange: { _ in }, makeScheduler: { _ in scheduler })
    graph.start { _ in }
    return graph
}

/// Milliseconds for which snapshots of 10,000 groups with objects as state block their component.
///
/// - Parameter changed: how many groups have changed since the snapshot before.
func snapshot(changed: Int) throws -> Double {
    let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    let groups = 10_000
    let graph = try graph(
        """
        sources: { tick: { interval: { every: 1s, delay: 0s } } }
        pipelines:
          p:
            from: tick
            steps:
              - groupBy:
                  key: .tick % \(groups)
                  steps: [scan: { seed: { n: 0 }, next: '{ n: ($state.n + 1), last: $value, list: [1, 2, 3] }' }, delay: 10s]
            to: [stdout]
        """, on: scheduler)
    defer { graph.dispose() }
    scheduler.advanceTo(groups + 20)
    let cells = graph.snapshot.nodes["p"]?.cells.count ?? 0
    guard cells >= groups, graph.unsettledCount > 0 else { fatalError("there are \(cells) groups") }
    var times: [Duration] = []
    for round in 1...11 {
        scheduler.advanceTo(groups + 20 + round * changed)
        var snapshot: Snapshot?
        times.append(ContinuousClock().measure { snapshot = graph.snapshot })
        withExtendedLifetime(snapshot) {}
    }
    // The median.
    return times.sorted()[times.count / 2] / .milliseconds(1)
}

try measure("snapshot") { try snapshot(changed: 1_000) }
try measure("snapshot-all") { try snapshot(changed: 10_000) }

// MARK: - Expressions

/// Passes expressions to processes of the daemon's program.
struct EvaluatorPool: JQEvaluator {
    let pool: WorkerPool<JQIdentity?>

    func evaluate(_ request: [UInt8], of expression: JQIdentity, for client: JQClient?) throws(JQError) -> [UInt8] {
        do { return try pool.exchange(request, for: client?.identity, within: .seconds(5)) } catch {
            throw JQError("\(error)")
        }
    }
}

/// Microseconds for an evaluation of `text`, in this process or in another.
func evaluation(_ text: String, in evaluators: EvaluatorPool?) throws -> Double {
    let batch = JQBatch(JQLibrary(evaluator: evaluators))
    let place = SourceLocation(file: "bench.yaml", line: 1, column: 1)
    let program = try JQProgram(LocatedText(text, at: place), in: batch)
    guard batch.compile().list.isEmpty else { fatalError("it does not compile") }
    let (arena, count) = (JQArena(), 10_000)
    let event = JQValue(["path": "/etc/hosts", "n": 3])
    for _ in 0..<count { _ = try program.run(event, [:], in: arena) }
    return try shortest(of: 9) { for _ in 0..<count { _ = try program.run(event, [:], in: arena) } }
        / .microseconds(count)
}

let folded = "[range(.n)] | length"
try measure("evaluation") { try evaluation(folded, in: nil) }
if let program = getenv("RXWATCHD").map({ String(cString: $0) }) {
    try measure("evaluation-elsewhere") {
        let command = Command([program, "evaluate-expressions"])
        return try evaluation(folded, in: EvaluatorPool(pool: WorkerPool(command, maximum: 2, answerLimit: 1 << 20)))
    }
}

try measure("file") {
    let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    let (path, lines) = ("/dev/shm/pipelines-bench-\(getpid())", 300_000)
    defer { unlink(path) }
    let graph = try graph(
        """
        sources: { tick: { interval: { every: 1s, inFlight: 1000000 } } }
        pipelines: { p: { from: tick, to: [file: { path: \(path), queue: 1000000 }] } }
        """, on: scheduler)
    let time = ContinuousClock().measure {
        scheduler.advanceTo(lines)
        while graph.unsettledCount > 0 { poll(nil, 0, 1) }
    }
    guard graph.flow.dropped == 0 else { fatalError("\(graph.flow.dropped) lines were dropped") }
    graph.dispose()
    return Double(lines) / (time / .seconds(1))
}
