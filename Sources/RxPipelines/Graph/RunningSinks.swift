import RxDiagnostics
import RxEngine
import Synchronization

/// The sinks of a running pipeline. A run owns those that it has opened, and from its start those that it carries over
/// from the run before: each sink has one owner at a time, which ends it.
final class RunningSinks: Sendable {
    /// In the config's order.
    private let all: [RunningSink]
    private let changes: SinkChanges
    /// The names of those that an earlier config had, and the last one had not, while the earlier ones have not
    /// finished.
    private let returning: Set<String>
    private let owned: Locked<Set<ObjectIdentifier>>
    /// Whether the run is being given what its node replays.
    private let isStarting = Atomic(false)
    /// Of the sinks that are carried over, the places, and where the new config has them.
    let moves: [(places: [SourceLocationCell], others: [SourceLocationCell])]

    /// - Parameters:
    ///   - context: those of the pipeline.
    ///   - scheduler: the scheduler of the pipeline.
    ///   - before: the sinks of the run that this one replaces.
    ///   - isSameNode: whether both runs have the same node.
    ///   - earlier: the sinks of runs that were replaced, or removed, before, and have not finished.
    init(
        _ planned: [PlannedSink], _ allotment: SinkAllotment, in context: SinkContext,
        on scheduler: any SchedulerType, inPlaceOf before: RunningSinks?, isSameNode: Bool,
        after earlier: [RunningSinks]
    ) {
        let sinks = zip(planned, allotment.sinks.map(\.name)).map { (name: $1, sink: $0) }
        let known = before?.contents ?? [:]
        let returning = Set(sinks.map(\.name)).intersection(earlier.flatMap(\.own).map(\.name)).subtracting(known.keys)
        let changes = SinkChanges(
            from: known,
            to: Dictionary(sinks.map { ($0.name, $0.sink.content) }) { first, _ in first }, isSameNode: isSameNode)
        var moves: [(places: [SourceLocationCell], others: [SourceLocationCell])] = []
        var opened: Set<ObjectIdentifier> = []
        all = sinks.map { name, planned in
            let other = ((before?.all ?? []) + earlier.flatMap(\.own)).first { $0.name == name }
            if changes.carried.contains(name), let other {
                moves.append((other.places, planned.places))
                return other
            }
            let sink = RunningSink(planned, in: context.of(name), on: scheduler, inPlaceOf: other)
            opened.insert(ObjectIdentifier(sink))
            return sink
        }
        self.changes = changes
        self.returning = returning
        self.moves = moves
        owned = Locked(opened)
    }

    private var contents: [String: String] { Dictionary(all.map { ($0.name, $0.content) }) { first, _ in first } }

    var keys: [String] { all.map(\.key) }
    /// Of those that deliver what is stored for them.
    var spooledKeys: [String] { all.filter(\.isSpooled).map(\.key) }
    var places: [[SourceLocationCell]] { all.map(\.places) }

    /// Whether the config says the same of all of them, in the same order.
    func areSame(_ planned: [PlannedSink]) -> Bool { all.map(\.content) == planned.map(\.content) }

    /// Those that this run owns.
    private var own: [RunningSink] {
        let owned = owned.withLock(\.self)
        return all.filter { owned.contains(ObjectIdentifier($0)) }
    }

    // MARK: - On the pipeline's scheduler

    /// Takes over what is carried over from the replaced run, and holds those back that replace others.
    func takeOver(from other: RunningSinks) {
        let carried = Set(all.filter { changes.carried.contains($0.name) }.map { ObjectIdentifier($0) })
        owned.withLock { $0.formUnion(carried) }
        other.owned.withLock { $0.subtract(carried) }
        for sink in all where changes.replaced.contains(sink.name) { sink.hold() }
    }

    /// Holds those back that an earlier config had, too.
    ///
    /// - Returns: whether there are any.
    func holdReturning() -> Bool {
        for sink in all where returning.contains(sink.name) { sink.hold() }
        return !returning.isEmpty
    }

    /// Starts these: the earlier ones have ended, and pass on nothing.
    func startReturning() {
        for sink in all where returning.contains(sink.name) { sink.start(with: []) }
    }

    /// Starts the sinks, and passes them what `subscribe` has the node replay, but for those that had it before.
    func start(_ subscribe: () -> Void) {
        for sink in all where !changes.carried.contains(sink.name) { sink.startIfNotHeld() }
        isStarting.store(true, ordering: .relaxed)
        subscribe()
        isStarting.store(false, ordering: .relaxed)
    }

    func take(_ event: PipelineEvent) {
        let isKnown = event.isReplayed && isStarting.load(ordering: .relaxed)
        for sink in all where !(isKnown && changes.carried.contains(sink.name)) { sink.take(event) }
    }

    /// Calls `done` once: when those that this run owns have finished, or were made to by ``dispose(keepsEvents:)``.
    ///
    /// - Parameter successors: the sinks that replace some of them, and their scheduler.
    func drain(
        into successors: (sinks: RunningSinks, scheduler: any SchedulerType)?, _ done: @escaping @Sendable () -> Void
    ) {
        let sinks = own
        let left = Countdown(sinks.count, done)
        for sink in sinks {
            if let successors, let next = successors.sinks.all.first(where: { $0.key == sink.key }) {
                next.replace(sink, on: successors.scheduler) { left.count() }
            } else {
                sink.drain { left.count() }
            }
        }
    }

    // MARK: - On any thread

    var flow: Graph.Flow {
        own.reduce(Graph.Flow(queued: 0, dropped: 0)) {
            $0 + Graph.Flow(queued: $1.queued, dropped: $1.dropped, spooled: $1.spooled)
        }
    }

    func freeze() {
        for sink in own { sink.freeze() }
    }

    func dispose(keepsEvents: Bool) {
        for sink in own { sink.dispose(keepsEvents: keepsEvents) }
    }
}
