/// An error as it reaches `Hooks.defaultErrorHandler`: what failed, in which pipeline, and what is done about it.
package struct PipelineError: Error {
    package let pipeline: String?
    /// The sink, where it was one that failed: the pipeline then goes on.
    package let sink: String?
    /// The event that a sink failed on.
    package let event: PipelineEvent?
    /// When the pipeline starts again, where the failure ended it.
    package let restart: Duration?
    /// What went wrong.
    package let cause: any Error

    /// An error that no pipeline knows of.
    package init(unhandled error: any Error) {
        self.init(pipeline: nil, cause: error)
    }

    init(
        pipeline: String?, sink: String? = nil, event: PipelineEvent? = nil, restart: Duration? = nil, cause: any Error
    ) {
        self.pipeline = pipeline
        self.sink = sink
        self.event = event
        self.restart = restart
        self.cause = cause
    }
}

extension PipelineError: CustomStringConvertible {
    package var description: String {
        guard let pipeline else { return "\(cause)" }
        let subject = sink.map { "\(pipeline): \($0) failed" } ?? "\(pipeline) failed"
        let consequence = restart.map { "; starting again in \($0.components.seconds)s" } ?? ""
        return "\(subject): \(cause)\(consequence)"
    }
}

extension PipelineError {
    /// This error as a record.
    package func record(generation: Int, callStack: [String] = []) -> Record {
        let step = cause as? StepError
        return Record(
            sink == nil ? .error : .sink, .err, generation: generation, description,
            [
                .pipeline: pipeline, .sink: sink, .step: step?.step, .cause: step?.cause ?? event?.cause,
                .error: "\(cause)", .errorType: "\(type(of: cause))",
                .callStack: callStack.isEmpty ? nil : callStack.joined(separator: "\n"),
            ])
    }
}
