import RxEngine

// Unchecked: everything is behind the lock.
/// The runs that are no longer part of a graph: of those that have something to finish, what waits in them, and of all,
/// what they have dropped. So counts never go back.
final class RetiredRuns: @unchecked Sendable {
    private let lock = Lock()
    private var leaving: [ObjectIdentifier: PipelineRun] = [:]
    /// What is to be done when these have finished.
    private var following: [ObjectIdentifier: [@Sendable () -> Void]] = [:]
    private var dropped = 0
    /// Of sources that are no longer part of a graph, the events that are not settled. These hold it themselves.
    private var unsettled: [Weak] = []

    /// Those since ``freeze()``, when their events are kept, whose deliveries no longer hold them.
    private var frozen: [Unsettled] = []
    /// The components in which nodes are being replaced: what stops that, and what is to be done there when it is over.
    private var replacing: [Component: Replacing] = [:]
    private var isStopped = false

    private struct Replacing {
        var stop: @Sendable () -> Void
        var followers: [(start: @Sendable () -> Void, stop: @Sendable () -> Void)] = []
    }

    private struct Weak {
        weak var unsettled: Unsettled?
    }

    /// A run has been replaced, and finishes what it has.
    func leaves(_ run: PipelineRun) {
        lock.locked { leaving[ObjectIdentifier(run)] = run }
    }

    /// A run has finished what it had.
    func isGone(_ run: PipelineRun) {
        let last = run.dropped
        let (found, followers) = lock.locked { () -> (PipelineRun?, [@Sendable () -> Void]) in
            let found = leaving.removeValue(forKey: ObjectIdentifier(run))
            if found != nil { dropped += last }
            return (found, following.removeValue(forKey: ObjectIdentifier(run)) ?? [])
        }
        for follower in followers { follower() }
        withExtendedLifetime(found) {}
    }

    /// The runs of a pipeline that finish what they have.
    func runs(of pipeline: String) -> [PipelineRun] {
        lock.locked { leaving.values.filter { $0.account.name == pipeline } }
    }

    /// Calls `body` when a run has finished what it had.
    func whenGone(_ run: PipelineRun, _ body: @escaping @Sendable () -> Void) {
        let isLeaving = lock.locked {
            guard leaving[ObjectIdentifier(run)] != nil else { return false }
            following[ObjectIdentifier(run), default: []].append(body)
            return true
        }
        if !isLeaving { body() }
    }

    /// Whether nodes are being replaced in any component.
    var isReplacing: Bool { lock.locked { !replacing.isEmpty } }

    /// Begins to replace nodes of a component, in a turn of its scheduler: when that which was begun before is over.
    ///
    /// - Parameter stop: called if the daemon stops before ``end(in:)``.
    func begin(
        in component: Component, _ start: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void
    ) {
        let isNext = lock.locked {
            if isStopped { return false }
            guard replacing[component] != nil else {
                replacing[component] = Replacing(stop: stop)
                return true
            }
            replacing[component]?.followers.append((start, stop))
            return false
        }
        if isNext { start() }
    }

    /// Nodes of a component have been replaced.
    func end(in component: Component) {
        let (done, next) = lock.locked { () -> (Replacing?, (@Sendable () -> Void)?) in
            let done = replacing.removeValue(forKey: component)
            guard var followers = done?.followers, !followers.isEmpty else { return (done, nil) }
            let next = followers.removeFirst()
            replacing[component] = Replacing(stop: next.stop, followers: followers)
            return (done, next.start)
        }
        withExtendedLifetime(done) {}
        if let next { component.scheduler.perform(next) }
    }

    /// The daemon stops: nothing is replaced any more.
    func stopReplacing() {
        let all = lock.locked {
            isStopped = true
            defer { replacing = [:] }
            return replacing
        }
        for replacing in all.values { replacing.stop() }
    }

    /// A source is no longer part of a graph, of whose events some may not be settled.
    func leave(_ events: Unsettled) {
        lock.locked {
            unsettled.removeAll { $0.unsettled == nil }
            unsettled.append(Weak(unsettled: events))
        }
    }

    /// What is not settled of the sources that are no longer part of a graph.
    var allUnsettled: [Unsettled] { lock.locked { unsettled.compactMap(\.unsettled) } }

    /// Keeps their events unsettled from now on.
    func freeze() {
        let all = lock.locked {
            frozen = unsettled.compactMap(\.unsettled)
            return frozen
        }
        for unsettled in all { unsettled.freeze() }
    }

    /// Those that have something to finish.
    var all: [PipelineRun] { lock.locked { Array(leaving.values) } }

    var flow: Graph.Flow {
        let (runs, before) = lock.locked { (Array(leaving.values), dropped) }
        return runs.reduce(Graph.Flow(queued: 0, dropped: before)) { $0 + $1.flow }
    }
}
