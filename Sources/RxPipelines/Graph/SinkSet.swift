import RxDiagnostics
import RxEngine
import RxJSON
import Synchronization

/// The sinks of a running pipeline. A run owns the sinks that it has opened and, from its start, those that it carries
/// over from the previous run: each sink has one owner at a time, which ends it.
final class SinkSet: Sendable {
    /// In the configuration's order.
    private let all: [RunningSink]
    private let changes: SinkChanges
    /// The names of the sinks that a retired run still has while it finishes, and the replaced run has not.
    private let returning: Set<String>
    private let owned: Locked<Set<ObjectIdentifier>>
    /// Whether the node is replaying events to the run that subscribes.
    private let isStarting = Atomic(false)
    /// The locations of the sinks that are carried over, and their locations in the new configuration.
    let moves: [(locationCells: [SourceLocationCell], others: [SourceLocationCell])]

    /// - Parameters:
    ///   - planned: the sinks of the configuration.
    ///   - sinkNames: their names.
    ///   - context: the context of the pipeline's sinks.
    ///   - scheduler: the scheduler of the pipeline.
    ///   - before: the sinks of the run that this one replaces.
    ///   - isSameNode: whether both runs have the same node.
    ///   - earlier: the sinks of retired runs that have not finished.
    init(
        _ planned: [PlannedSink], _ sinkNames: SinkNames, in context: SinkContext,
        on scheduler: any SchedulerType, inPlaceOf before: SinkSet?, isSameNode: Bool,
        after earlier: [SinkSet]
    ) {
        let sinks = zip(planned, sinkNames.sinks.map(\.name)).map { (name: $1, sink: $0) }
        let known = before?.contents ?? [:]
        let returning = Set(sinks.map(\.name)).intersection(earlier.flatMap(\.own).map(\.name)).subtracting(known.keys)
        let changes = SinkChanges(
            from: known,
            to: Dictionary(sinks.map { ($0.name, $0.sink.content) }) { first, _ in first }, isSameNode: isSameNode)
        var moves: [(locationCells: [SourceLocationCell], others: [SourceLocationCell])] = []
        var opened: Set<ObjectIdentifier> = []
        all = sinks.map { name, planned in
            let other = ((before?.all ?? []) + earlier.flatMap(\.own)).first { $0.name == name }
            if changes.carried.contains(name), let other {
                moves.append((other.locationCells, planned.locationCells))
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

    /// A sink, with its text in the configuration and the numbers of its events that wait or were dropped.
    struct Summary {
        let key: String
        let name: String
        let content: String
        let flow: Graph.Flow
    }

    private var contents: [String: String] { Dictionary(all.map { ($0.name, $0.content) }) { first, _ in first } }

    var keys: [String] { all.map(\.key) }
    /// The keys of the sinks that deliver the stored events of a spool.
    var spooledKeys: [String] { all.filter(\.isSpooled).map(\.key) }
    var locationCells: [[SourceLocationCell]] { all.map(\.locationCells) }

    /// Whether the texts of all sinks are the same, in the same order.
    func areSame(_ planned: [PlannedSink]) -> Bool {
        all.elementsEqual(planned) { $0.content.hasSameBytes(as: $1.content) }
    }

    /// The sinks that this run owns.
    private var own: [RunningSink] {
        let owned = owned.withLock(\.self)
        return all.filter { owned.contains(ObjectIdentifier($0)) }
    }

    // MARK: - On the pipeline's scheduler

    /// Takes over the carried sinks of the replaced run, and holds the sinks that replace others.
    func takeOver(from other: SinkSet) {
        let carried = Set(all.filter { changes.carried.contains($0.name) }.map { ObjectIdentifier($0) })
        owned.withLock { $0.formUnion(carried) }
        other.owned.withLock { $0.subtract(carried) }
        for sink in all where changes.replaced.contains(sink.name) { sink.hold() }
    }

    /// Holds the sinks that a retired run still has.
    ///
    /// - Returns: whether there are any.
    func holdReturning() -> Bool {
        for sink in all where returning.contains(sink.name) { sink.hold() }
        return !returning.isEmpty
    }

    /// Starts the returning sinks after the retired runs have ended. These pass on no events.
    func startReturning() {
        for sink in all where returning.contains(sink.name) { sink.start(with: []) }
    }

    /// Starts the sinks and calls `subscribe`. Events that the node replays meanwhile go to the new sinks only: those
    /// that are carried over have received them before.
    func start(_ subscribe: () -> Void) {
        for sink in all where !changes.carried.contains(sink.name) { sink.startIfNotHeld() }
        isStarting.store(true, ordering: .relaxed)
        subscribe()
        isStarting.store(false, ordering: .relaxed)
    }

    func receive(_ event: PipelineEvent) {
        let isKnown = event.isReplayed && isStarting.load(ordering: .relaxed)
        for sink in all where !(isKnown && changes.carried.contains(sink.name)) { sink.receive(event) }
    }

    /// Drains the sinks that this run owns.
    ///
    /// - Parameters:
    ///   - successors: the sinks that replace some of them, and their scheduler.
    ///   - done: called once when the sinks have finished, or ``dispose(keepsEvents:)`` has stopped them.
    func drain(
        into successors: (sinks: SinkSet, scheduler: any SchedulerType)?, _ done: @escaping @Sendable () -> Void
    ) {
        let sinks = own
        let left = CompletionLatch(sinks.count, done)
        for sink in sinks {
            if let successors, let next = successors.sinks.all.first(where: { $0.key == sink.key }) {
                next.replace(sink, on: successors.scheduler) { left.countDown() }
            } else {
                sink.drain { left.countDown() }
            }
        }
    }

    // MARK: - On any thread

    /// The sink with this key.
    private subscript(key: String) -> RunningSink? { all.first { $0.key == key } }

    func endPauses(of key: String) { self[key]?.endPauses() }
    var ownKeys: [String] { own.map(\.key) }
    func queued(of key: String) -> Int { self[key]?.queued ?? 0 }
    func unfinished(of key: String) -> [PipelineEvent] { self[key]?.unfinished ?? [] }

    func drop(
        from key: String, _ isMatching: @escaping @Sendable (String) -> Bool,
        _ done: @escaping @Sendable (DropResult) -> Void
    ) {
        if let sink = self[key] { sink.drop(isMatching, done) } else { done(.success(0)) }
    }

    var summaries: [Summary] {
        all.map { Summary(key: $0.key, name: $0.name, content: $0.content, flow: $0.flow) }
    }

    var states: [SinkState] { all.map(\.state) }

    var flow: Graph.Flow { own.reduce(Graph.Flow(queued: 0, dropped: 0)) { $0 + $1.flow } }

    func freeze() {
        for sink in own { sink.freeze() }
    }

    func dispose(keepsEvents: Bool) {
        for sink in own { sink.dispose(keepsEvents: keepsEvents) }
    }
}
