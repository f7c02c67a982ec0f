import RxDiagnostics

/// The watch's record of an evaluation in another process, which stops it.
struct JQRemoteRun {
    private let locationCell: SourceLocationCell
    /// The running time that inspections have found; `nil` before the first.
    private var running: Duration?
    private var isReported = false

    init(_ locationCell: SourceLocationCell) {
        self.locationCell = locationCell
    }

    /// Adds the pause before an inspection to the running time, except before the first one.
    ///
    /// - Returns: the report of a slow evaluation, once.
    mutating func inspect(after pause: Duration, _ limits: JQLimits) -> JQSlowRun? {
        guard let before = running else {
            running = .zero
            return nil
        }
        running = before + pause
        guard !isReported, before + pause >= limits.noticedAfter else { return nil }
        isReported = true
        return slowRun(.stillRuns)
    }

    /// Returns the report of the evaluation's end; `nil` if it was not reported as slow.
    func end(isStopped: Bool) -> JQSlowRun? {
        isReported ? slowRun(isStopped ? .stopped : .ended) : nil
    }

    private func slowRun(_ stage: JQSlowRun.Stage) -> JQSlowRun {
        JQSlowRun(locationCell, running: running ?? .zero, stage: stage)
    }
}
