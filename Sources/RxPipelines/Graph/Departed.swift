import RxEngine

// Unchecked: everything is behind the lock.
/// The runs that are no longer part of a graph: of those that have something to finish, what waits in them, and of all,
/// what they have dropped. So counts never go back.
final class Departed: @unchecked Sendable {
    private let lock = Lock()
    private var leaving: [ObjectIdentifier: PipelineRun] = [:]
    private var dropped = 0

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

    /// Those that have something to finish.
    var all: [PipelineRun] { lock.locked { Array(leaving.values) } }

    var flow: Graph.Flow {
        let (runs, before) = lock.locked { (Array(leaving.values), dropped) }
        return runs.reduce(Graph.Flow(queued: 0, dropped: before)) { $0 + $1.flow }
    }
}
