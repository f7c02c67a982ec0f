import RxJQ

extension JQSlowRun {
    /// This as a record.
    package func record(generation: Int) -> Record {
        Record(
            .error, stage == .ended ? .notice : .warning, generation: generation, "\(location): \(message)",
            [.pipeline: pipeline, .error: message, .errorType: "JQSlowRun"])
    }
}
