import RxDiagnostics

/// An evaluation that takes long, as the watch tells of it: once when it is noticed, and once when it is over.
package struct JQSlowRun: Sendable, Hashable {
    package enum Stage: Sendable, Hashable {
        /// It is still under way, and holds up its pipeline.
        case goesOn
        /// It came to its end after all.
        case ended
        /// It was stopped. The event that it was evaluated for fails, with an error of its own.
        case stopped
    }

    /// Where the expression stands.
    package let location: SourceLocation
    /// The pipeline that it is part of.
    package let pipeline: String?
    /// Those that run on the same scheduler, and wait for it, too.
    package let pipelines: [String]
    /// For how long it has been evaluated.
    package let running: Duration
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

    /// What there is to tell, without the place.
    package var message: String {
        let time = SystemdDuration.format(running)
        let subject = "this expression\(pipeline.map { " of \($0)" } ?? "")"
        return switch stage {
        case .goesOn: "\(subject) has not come to an end for \(time), and holds up \(heldUp)"
        case .ended: "\(subject) has come to its end after \(time)"
        case .stopped: "\(subject) was stopped after \(time)"
        }
    }

    /// Its pipeline, and some of the others that wait for it.
    private var heldUp: String {
        guard let pipeline else { return "its pipeline" }
        let others = pipelines.filter { $0 != pipeline }
        if others.isEmpty { return pipeline }
        let (shown, rest) = (others.prefix(Self.shown), others.count - Self.shown)
        return "\(pipeline), and with it \(shown.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : "")"
    }

    private static let shown = 5
}
