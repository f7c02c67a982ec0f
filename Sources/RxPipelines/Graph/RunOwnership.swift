import RxEngine

// Unchecked: the lock guards the runs.
/// The runs that a graph has to stop.
final class RunOwnership: @unchecked Sendable {
    private let lock = Lock()
    private var runs: [PipelineRun]

    init(_ runs: [PipelineRun]) {
        self.runs = runs
    }

    var all: [PipelineRun] { lock.locked { runs } }

    /// Transfers the kept runs to `other`, and returns the others. This value owns no run any more.
    ///
    /// - Returns: the runs that are not kept.
    func transfer(to other: RunOwnership, where isKept: (PipelineRun) -> Bool) -> [PipelineRun] {
        let all = lock.locked {
            defer { runs = [] }
            return runs
        }
        other.add(all.filter(isKept))
        return all.filter { !isKept($0) }
    }

    private func add(_ more: [PipelineRun]) {
        lock.locked { runs += more }
    }
}
