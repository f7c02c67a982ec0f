import RxDiagnostics
import RxEngine

// Unchecked: the lock guards all mutable state.
/// A sink of a running pipeline: what its kind has opened, and the events that arrive before it starts.
final class RunningSink: @unchecked Sendable {
    /// The text of the sink in the configuration.
    let content: String
    /// The locations of the sink's templates in the configuration.
    let locationCells: [SourceLocationCell]
    private let context: SinkContext
    private let activity: SinkActivity
    private let settings: SinkSettings
    private let sink: any OpenSink
    private let lock = Lock()
    // Below: guarded by the lock.
    /// The events that wait until the replaced sink has ended; `nil` once this sink has started.
    private var held: HeldEvents?
    /// Whether another sink replaces this one.
    private var isHandingOver = false
    private var isDisposed = false

    /// The events that arrive before the sink starts, and what happens to them then.
    private struct HeldEvents {
        var events: [PipelineEvent] = []
        var then = Action.start
    }

    /// What happens to a sink that has not started, when the sink that it replaces has ended.
    private enum Action {
        case start
        /// The sink is drained before it has started.
        case drain(@Sendable () -> Void)
        /// The sink is replaced before it has started: the replacement receives all events.
        case handOver(@Sendable ([PipelineEvent]) -> Void)
    }

    /// - Parameters:
    ///   - planned: the sink in the plan.
    ///   - context: the context of the sink.
    ///   - scheduler: the scheduler of the pipeline.
    ///   - other: the sink that this one replaces.
    init(
        _ planned: PlannedSink, in context: SinkContext, on scheduler: any SchedulerType,
        inPlaceOf other: RunningSink?
    ) {
        content = planned.content
        locationCells = planned.locationCells
        activity = other?.activity ?? SinkActivity(on: scheduler)
        var context = context
        context.sinkActivity = activity
        context.recordsAll = planned.kind.settings.recordsAll
        self.context = context
        settings = planned.kind.settings
        sink = Self.open(planned.kind, in: context, on: scheduler, inPlaceOf: other?.sink as? SpooledSink)
    }

    /// Opens a sink. It gets a spool if its events wait on disk, or if an earlier sink of this key left some there.
    private static func open(
        _ kind: any SinkKind, in context: SinkContext, on scheduler: any SchedulerType,
        inPlaceOf replaced: SpooledSink?
    ) -> any OpenSink {
        guard let store = context.host.spools else {
            if kind.spool != nil {
                context.record(
                    .warning,
                    "cannot spool without a state directory; events wait in memory; set STATE_DIRECTORY, as the service "
                        + "does")
            }
            return kind.open(in: context)
        }
        guard kind.spool != nil || replaced != nil || context.spooledSinks.contains(context.key) else {
            return kind.open(in: context)
        }
        return SpooledSink(
            store, limit: kind.spool ?? 0, in: context, on: scheduler, inPlaceOf: replaced
        ) { kind.open(in: $0) }
    }

    /// Makes the attempts at once that wait for their time.
    func endPauses() { sink.endPauses() }

    /// Drops the events that wait and whose ids match, and calls `done` with their number.
    func drop(_ isMatching: @escaping @Sendable (String) -> Bool, _ done: @escaping @Sendable (DropResult) -> Void) {
        let waiting = lock.locked { () -> [PipelineEvent] in
            guard let events = held?.events else { return [] }
            held?.events = events.filter { !isMatching($0.id) }
            return events.filter { isMatching($0.id) }
        }
        context.drop(waiting, because: SinkContext.onRequest)
        context.giveUp(on: waiting, because: SinkContext.wasDropped)
        sink.drop(isMatching) { [context] result in
            let result = result.map { $0 + waiting.count }
            if case .success(let count) = result, count > 0 {
                context.record(
                    .notice, "dropped \(counted(count, "event")) that waited, \(SinkContext.onRequest)",
                    dropped: count)
            }
            done(result)
        }
    }

    var spooled: Int { sink.spooled }
    /// Whether the sink delivers the stored events of a spool.
    var isSpooled: Bool { sink is SpooledSink }

    /// Starts the sink, unless it is held back.
    func startIfNotHeld() {
        if lock.locked({ held == nil }) { sink.start() }
    }

    func freeze() {
        sink.freeze()
    }

    /// Unique in the graph. The sink keeps it in the next configuration, see ``SinkNames``.
    var key: String { context.key }
    /// Unique in the pipeline.
    var name: String { context.sink }
    var dropped: Int { sink.dropped }
    var queued: Int { sink.queued + lock.locked { held?.events.count ?? 0 } }
    var flow: Graph.Flow { Graph.Flow(queued: queued, dropped: dropped, spooled: spooled) }
    /// The events that wait in memory or are being worked on, in order of arrival.
    var unfinished: [PipelineEvent] { sink.unfinished + lock.locked { held?.events ?? [] } }

    /// The sink as it is now.
    var state: SinkState {
        let held = lock.locked { self.held?.events }
        let unfinished = sink.unfinished + (held ?? [])
        return SinkState(
            key: key, pipeline: context.pipeline, name: name, isHeld: held != nil, flow: flow,
            queuedBytes: unfinished.reduce(0) { $0 + $1.memory }, spooledBytes: sink.spooledBytes,
            oldest: (sink.oldest ?? held?.first)?.origin, activity: activity.summary, failure: nil)
    }

    /// Holds events back until the replaced sink has ended, see ``replace(_:on:ended:)``.
    func hold() {
        lock.locked { held = HeldEvents() }
    }

    /// Passes an event to the sink, or holds it; drops replayed events and those that the sink finished before.
    func receive(_ event: PipelineEvent) {
        guard settings.actsOnReplays || !event.isReplayed, let (event, failure) = event.begun(at: key) else { return }
        if let failure { return context.passOn(failure, of: event) }
        let isHeld = lock.locked { held?.events.append(event) != nil }
        if !isHeld { deliver(event) }
    }

    private func deliver(_ event: PipelineEvent) {
        do {
            if try sink.receive(event) { context.succeed(on: event) }
        } catch {
            context.fail(error, on: event)
        }
    }

    /// Replaces another sink: starts with its waiting events when it has finished its running work.
    ///
    /// - Parameters:
    ///   - other: the sink to replace.
    ///   - scheduler: the scheduler of this sink's pipeline.
    ///   - ended: called when the other sink has ended.
    func replace(_ other: RunningSink, on scheduler: any SchedulerType, ended: @escaping @Sendable () -> Void) {
        other.handOver { left in
            ended()
            scheduler.perform { self.start(with: left) }
        }
    }

    /// Starts after the replaced sink has ended.
    ///
    /// - Parameter left: the waiting events of that sink.
    func start(with left: [PipelineEvent]) {
        let (held, isDisposed) = lock.locked { (self.held.take() ?? HeldEvents(), self.isDisposed) }
        if case .handOver(let done) = held.then { return done(left + held.events) }
        // The sink was disposed of meanwhile: these events are kept or lost like its own.
        if isDisposed { return }
        sink.start()
        for event in left + held.events { deliver(event) }
        if case .drain(let done) = held.then { sink.drain(done) }
    }

    private func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
        let hasBegun = lock.locked {
            isHandingOver = true
            held?.then = .handOver(done)
            return held == nil
        }
        if hasBegun { sink.handOver(done) }
    }

    func drain(_ done: @escaping @Sendable () -> Void) {
        let hasBegun = lock.locked {
            if !isHandingOver { held?.then = .drain(done) }
            return held == nil
        }
        if hasBegun { sink.drain(done) }
    }

    /// Cancels the running work.
    ///
    /// - Parameter keepsEvents: whether the unfinished events are kept for the next process; otherwise they are lost.
    func dispose(keepsEvents: Bool) {
        let (held, isHandingOver, isFirst) = lock.locked {
            defer { isDisposed = true }
            return (self.held?.events ?? [], self.isHandingOver, !isDisposed)
        }
        let left = sink.unfinished + held
        // Recorded first, so that the record exists when a caller sees that the sink has ended.
        if isFirst, !left.isEmpty {
            let fate =
                keepsEvents ? "kept" : isHandingOver ? "passed to the sink that replaces this one" : "lost"
            context.record(
                keepsEvents || isHandingOver ? .notice : .warning,
                "stopped with \(counted(left.count, "unfinished event")), \(fate): \(left.map(\.origin).names)",
                dropped: isHandingOver || keepsEvents ? nil : left.count,
                unsettled: keepsEvents ? left.count : nil)
        }
        sink.dispose()
        // Released outside the lock.
        let given = lock.locked { isHandingOver ? nil : self.held.take() }
        if case .drain(let done)? = given?.then { done() }
        withExtendedLifetime(given) {}
    }
}
