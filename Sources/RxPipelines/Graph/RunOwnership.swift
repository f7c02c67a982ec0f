import RxEngine

// Unchecked: the runs are behind the lock.
/// The runs that a graph has to stop.
final class RunOwnership: @unchecked Sendable {
    private let lock = Lock()
    private var runs: [PipelineRun]

    init(_ runs: [PipelineRun]) {
        self.runs = runs
    }

    var all: [PipelineRun] { lock.locked { runs } }

    /// Hands over those that `other` keeps, and releases the others.
    ///
    /// - Returns: the others.
    func give(to other: RunOwnership, where isKept: (PipelineRun) -> Bool) -> [PipelineRun] {
        let all = lock.locked {
            defer { runs = [] }
            return runs
        }
        other.take(all.filter(isKept))
        return all.filter { !isKept($0) }
    }

    private func take(_ more: [PipelineRun]) {
        lock.locked { runs += more }
    }
}
