import RxEngine

// Unchecked: everything is behind the lock.
/// The runs that are no longer part of a graph: of those that have something to finish, what waits in them, and of all,
/// what they have dropped. So counts never go back.
final class Departed: @unchecked Sendable {
    private let lock = Lock()
    private var leaving: [ObjectIdentifier: PipelineRun] = [:]
    private var dropped = 0
    /// Of sources that are no longer part of a graph, the events that are not settled. These hold it themselves.
    private var unsettled: [Weak] = []

    /// Those since ``freeze()``, when their events are kept, whose deliveries no longer hold them.
    private var frozen: [Unsettled] = []

    private struct Weak {
        weak var unsettled: Unsettled?
    }

    /// A run has been replaced, and finishes what it has.
    func leaves(_ run: PipelineRun) {
        lock.locked { leaving[ObjectIdentifier(run)] = run }
    }

    /// It has.
    func isGone(_ run: PipelineRun) {
        let last = run.dropped
        let found = lock.locked {
            let found = leaving.removeValue(forKey: ObjectIdentifier(run))
            if found != nil { dropped += last }
            return found
        }
        withExtendedLifetime(found) {}
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
