import RxEngine
import RxJSON
import RxLinux

/// A run of a graph in virtual time, on the calling thread.
struct VirtualRun {
    let scheduler = VirtualTimeScheduler<VirtualMicroseconds>(initialClock: 0, converter: VirtualMicroseconds())

    /// Runs a plan for a time.
    ///
    /// While it runs, failures go to `onFailure` and not to `Hooks.defaultErrorHandler`.
    ///
    /// - Parameters:
    ///   - plan: the plan, without anything that acts outside the process.
    ///   - length: the virtual time, with its end.
    ///   - innerEvents: makes the events of the sources in steps.
    ///   - onFailure: called with each failure.
    func run(
        _ plan: Plan, for length: Duration, innerEvents: @escaping Host.InnerEvents,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        let scheduler = scheduler
        let handler = Hooks.defaultErrorHandler
        Hooks.defaultErrorHandler = { _, error in onFailure(error) }
        defer { Hooks.defaultErrorHandler = handler }
        let graph = Graph(
            plan, generation: { 1 }, host: Host(innerEvents: innerEvents), records: NoRecords(),
            printLine: { _, receipt in receipt.end(.written) }, isSaved: false,
            onExit: { onFailure(Exit(reason: "\($0)")) },
            makeScheduler: { _ in scheduler })
        graph.start { _ in }
        scheduler.advanceTo(Int(clamping: length.nanoseconds / 1000))
        graph.dispose()
        // Nothing repeats any more: this only releases what was scheduled.
        scheduler.start()
    }

    /// The end of the daemon by a policy of the configuration.
    private struct Exit: Error, CustomStringConvertible {
        let reason: String
        var description: String { "the daemon exits: \(reason)" }
    }
}

/// Drops all records.
private struct NoRecords: RecordWriter {
    func write(_ record: Record) {}
}
