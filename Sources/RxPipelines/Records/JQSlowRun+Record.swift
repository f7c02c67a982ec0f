import RxJQ

extension JQSlowRun {
    /// The record of this evaluation.
    package func record(generation: Int) -> Record {
        Record(
            .error, stage == .ended ? .notice : .warning, generation: generation, "\(location): \(message)",
            [.pipeline: pipeline, .error: message, .errorType: "JQSlowRun"])
    }
}
