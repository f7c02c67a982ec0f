import RxEngine

// Unchecked: the lock guards all mutable state.
/// The runs that are no longer part of a graph but still finish their work, and the number of events that all retired
/// runs have dropped, so that the counts of the daemon never decrease.
final class RetiredRuns: @unchecked Sendable {
    private let lock = Lock()
    private var unfinished: [ObjectIdentifier: PipelineRun] = [:]
    /// The callbacks for when these runs have finished.
    private var callbacks: [ObjectIdentifier: [@Sendable () -> Void]] = [:]
    /// The number of events that finished runs have dropped.
    private var dropped = 0
    /// The unsettled events of sources that are no longer part of a graph. Weak, since each retains itself while it has
    /// deliveries.
    private var unsettled: [Weak] = []

    /// The unsettled events since ``freeze()``, retained: from then on they keep events without a delivery.
    private var frozen: [UnsettledEventTable] = []
    /// The running replacement of each component, and those that wait for it.
    private var replacing: [Component: ReplacementQueue] = [:]
    private var isStopped = false

    /// The running replacement of a component, and the ones that start after it.
    private struct ReplacementQueue {
        var stop: @Sendable () -> Void
        var waiting: [(start: @Sendable () -> Void, stop: @Sendable () -> Void)] = []
    }

    /// A weak reference to the unsettled events of a source.
    private struct Weak {
        weak var unsettled: UnsettledEventTable?
    }

    /// Adds a run that was replaced or removed and finishes its work.
    func add(_ run: PipelineRun) {
        lock.locked { unfinished[ObjectIdentifier(run)] = run }
    }

    /// Removes a run that has finished its work.
    func remove(_ run: PipelineRun) {
        let last = run.dropped
        let (found, finished) = lock.locked { () -> (PipelineRun?, [@Sendable () -> Void]) in
            let found = unfinished.removeValue(forKey: ObjectIdentifier(run))
            if found != nil { dropped += last }
            return (found, callbacks.removeValue(forKey: ObjectIdentifier(run)) ?? [])
        }
        for callback in finished { callback() }
        withExtendedLifetime(found) {}
    }

    /// The retired runs of a pipeline that have not finished.
    func runs(of pipeline: String) -> [PipelineRun] {
        lock.locked { unfinished.values.filter { $0.account.name == pipeline } }
    }

    /// Calls `body` when a run has finished its work.
    func whenFinished(_ run: PipelineRun, _ body: @escaping @Sendable () -> Void) {
        let isUnfinished = lock.locked {
            guard unfinished[ObjectIdentifier(run)] != nil else { return false }
            callbacks[ObjectIdentifier(run), default: []].append(body)
            return true
        }
        if !isUnfinished { body() }
    }

    /// Whether nodes are being replaced in any component.
    var isReplacing: Bool { lock.locked { !replacing.isEmpty } }

    /// Begins a replacement of nodes of a component, after the replacements that were begun there before. Called on the
    /// component's scheduler.
    ///
    /// - Parameters:
    ///   - component: the component.
    ///   - start: called on the component's scheduler when the replacement may start.
    ///   - stop: called if the daemon stops before ``end(in:)``.
    func begin(
        in component: Component, _ start: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void
    ) {
        let isNext = lock.locked {
            if isStopped { return false }
            guard replacing[component] != nil else {
                replacing[component] = ReplacementQueue(stop: stop)
                return true
            }
            replacing[component]?.waiting.append((start, stop))
            return false
        }
        if isNext { start() }
    }

    /// Ends the running replacement of a component, and starts the next one.
    func end(in component: Component) {
        let (done, next) = lock.locked { () -> (ReplacementQueue?, (@Sendable () -> Void)?) in
            let done = replacing.removeValue(forKey: component)
            guard var waiting = done?.waiting, !waiting.isEmpty else { return (done, nil) }
            let next = waiting.removeFirst()
            replacing[component] = ReplacementQueue(stop: next.stop, waiting: waiting)
            return (done, next.start)
        }
        withExtendedLifetime(done) {}
        if let next { component.scheduler.perform(next) }
    }

    /// Stops all replacements, since the daemon stops.
    func stopReplacing() {
        let all = lock.locked {
            isStopped = true
            defer { replacing = [:] }
            return replacing
        }
        for replacing in all.values { replacing.stop() }
    }

    /// Adds the events of a source that is no longer part of a graph.
    func add(_ events: UnsettledEventTable) {
        lock.locked {
            unsettled.removeAll { $0.unsettled == nil || $0.unsettled === events }
            unsettled.append(Weak(unsettled: events))
        }
    }

    /// The unsettled events of the sources that are no longer part of a graph.
    var allUnsettled: [UnsettledEventTable] { lock.locked { unsettled.compactMap(\.unsettled) } }

    /// Keeps the events of these sources unsettled from now on.
    func freeze() {
        let all = lock.locked {
            frozen = unsettled.compactMap(\.unsettled)
            return frozen
        }
        for unsettled in all { unsettled.freeze() }
    }

    /// The runs that have not finished.
    var all: [PipelineRun] { lock.locked { Array(unfinished.values) } }

    var flow: Graph.Flow {
        let (runs, before) = lock.locked { (Array(unfinished.values), dropped) }
        return runs.reduce(Graph.Flow(queued: 0, dropped: before)) { $0 + $1.flow }
    }
}
