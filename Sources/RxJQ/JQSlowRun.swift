import RxDiagnostics

/// A report of an evaluation that takes long: the first when it is noticed, the second when it has ended.
package struct JQSlowRun: Sendable, Hashable {
    /// How far a slow evaluation has got.
    package enum Stage: Sendable, Hashable {
        /// The evaluation is still running, and blocks its pipeline.
        case stillRuns
        /// The evaluation ended by itself.
        case ended
        /// The evaluation was stopped, and its event failed with an error of its own.
        case stopped
    }

    /// The location of the expression in the configuration.
    package let location: SourceLocation
    /// The pipeline that the expression belongs to.
    package let pipeline: String?
    /// The pipelines on the same scheduler, which wait for this evaluation, too.
    package let pipelines: [String]
    /// How long the evaluation has run.
    package let running: Duration
    /// Whether the evaluation still runs, and if not, how it ended.
    package let stage: Stage

    package init(
        location: SourceLocation, pipeline: String? = nil, pipelines: [String] = [], running: Duration, stage: Stage
    ) {
        self.location = location
        self.pipeline = pipeline
        self.pipelines = pipelines
        self.running = running
        self.stage = stage
    }

    /// Creates a report about the expression at `place`.
    init(_ locationCell: SourceLocationCell, running: Duration, stage: Stage) {
        self.init(
            location: locationCell.location, pipeline: locationCell.pipeline, pipelines: locationCell.pipelines,
            running: running,
            stage: stage)
    }

    /// The report as a sentence, without the location.
    package var message: String {
        let time = SystemdDuration.format(running)
        let subject = "this expression\(pipeline.map { " of \($0)" } ?? "")"
        return switch stage {
        case .stillRuns: "\(subject) has run for \(time), and blocks \(blocked)"
        case .ended: "\(subject) ended after \(time)"
        case .stopped: "\(subject) was stopped after \(time)"
        }
    }

    /// The names of the blocked pipelines, the expression's own first.
    private var blocked: String {
        guard let pipeline else { return "its pipeline" }
        let others = pipelines.filter { $0 != pipeline }
        if others.isEmpty { return pipeline }
        let (shown, rest) = (others.prefix(Self.shown), others.count - Self.shown)
        return "\(pipeline), and with it \(shown.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : "")"
    }

    private static let shown = 5
}
