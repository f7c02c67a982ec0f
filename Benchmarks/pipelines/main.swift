// pipelines-bench: prints what pipelines cost, a figure a line: the name, a tab, the number.
// `Benchmarks/linux/pipelines` says in what, and how much it may be. Arguments name the figures to be measured.
//
// A target of the package itself, since what it measures is not public.
import Glibc
import RxEngineTest
import RxJQ
import RxJSON
import RxPipelines

struct NoRecords: RecordWriter {
    func write(_ record: Record) {}
}

/// Prints the figure unless the arguments name others.
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
    let (unsettled, value) = (Unsettled(), value)
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
// What it adds to the event.
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

try measure("snapshot") {
    let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    let groups = 10_000
    let graph = try graph(
        """
        sources: { tick: { interval: 1s } }
        pipelines:
          p: { from: tick, steps: [groupBy: { key: .tick, steps: [scan: { seed: 0, next: $state + 1 }] }], to: [stdout] }
        """, on: scheduler)
    scheduler.advanceTo(groups + 1)
    let cells = graph.snapshot.nodes["p"]?.cells.count ?? 0
    guard cells >= groups else { fatalError("there are \(cells) groups") }
    defer { graph.dispose() }
    return shortest(of: 11) { _ = graph.snapshot } / .milliseconds(1)
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
