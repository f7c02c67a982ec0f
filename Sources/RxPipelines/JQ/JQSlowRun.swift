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
    /// For how long it has been evaluated.
    package let running: Duration
    package let stage: Stage

    package init(location: SourceLocation, running: Duration, stage: Stage) {
        self.location = location
        self.running = running
        self.stage = stage
    }

    /// What there is to tell, without the place.
    package var message: String {
        let time = SystemdDuration.format(running)
        return switch stage {
        case .goesOn: "this expression has not come to an end for \(time), and holds up its pipeline"
        case .ended: "this expression has come to its end after \(time)"
        case .stopped: "this expression was stopped after \(time)"
        }
    }
}

extension JQSlowRun {
    /// This as a record.
    package func record(generation: Int) -> Record {
        Record(
            .error, stage == .ended ? .notice : .warning, generation: generation, "\(location): \(message)",
            [.error: message, .errorType: "JQSlowRun"])
    }
}
