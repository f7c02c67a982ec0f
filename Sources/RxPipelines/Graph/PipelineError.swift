import RxEngine

/// An error of a pipeline for `Hooks.defaultErrorHandler`: what failed, where, and how the pipeline continues.
package struct PipelineError: Error {
    /// How the pipeline continues.
    package enum Consequence: Sendable, Equatable {
        /// The failed event is dropped.
        case continues
        /// The steps before a `retry` restart without their state, and the events in flight in them are redelivered.
        case stepsRestartWithoutState
        /// The steps restart with their state, and the events in flight in them are redelivered.
        case stepsRestart(inFlight: Int)
        /// The source or the steps restart after a pause.
        case restarts(after: Duration, inFlight: Int = 0)
        /// The pipeline stops, and the events in flight are dropped.
        case stops(dropping: [SourceEvent])
        /// The pipeline stops, and the daemon exits.
        case exits
    }

    package let pipeline: String?
    /// The sink that failed; `nil` if it was no sink.
    package let sink: String?
    /// The event that failed, if the error itself does not name it.
    package let event: PipelineEvent?
    package let consequence: Consequence
    /// The error that was thrown.
    package let cause: any Error

    /// An error that belongs to no pipeline.
    package init(unhandled error: any Error) {
        self.init(pipeline: nil, cause: error)
    }

    init(
        pipeline: String?, sink: String? = nil, event: PipelineEvent? = nil, consequence: Consequence = .continues,
        cause: any Error
    ) {
        self.pipeline = pipeline
        self.sink = sink
        self.event = event
        self.consequence = consequence
        self.cause = cause
    }
}

extension PipelineError {
    /// Reports it to `Hooks.defaultErrorHandler`.
    func report() {
        Hooks.defaultErrorHandler(
            Hooks.recordCallStackOnError ? Hooks.customCaptureSubscriptionCallstack() : [], remembered)
    }

    /// This error without the deliveries of its events: an error handler that keeps the error does not keep its events
    /// unsettled.
    private var remembered: PipelineError {
        var cause = cause
        if let error = cause.withoutCheckpoints as? StepError {
            let error = StepError(
                step: error.step, location: error.location, event: error.event?.remembered, message: error.message)
            cause = cause.checkpoints.reduce(error) { $0.passing($1) }
        }
        return PipelineError(
            pipeline: pipeline, sink: sink, event: event?.remembered, consequence: consequence, cause: cause)
    }
}

extension PipelineError: CustomStringConvertible {
    package var description: String {
        let error = cause.withoutCheckpoints
        guard let pipeline else { return "\(error)" }
        let subject = sink.map { "\(pipeline): \($0) failed" } ?? "\(pipeline) failed"
        return "\(subject): \(error)\(consequence)"
    }
}

extension PipelineError.Consequence: CustomStringConvertible {
    package var description: String {
        switch self {
        case .continues: ""
        case .stepsRestartWithoutState: "; the steps before 'retry' restart without their state"
        case .stepsRestart(let inFlight): "; its steps restart\(Self.given(inFlight))"
        case .restarts(let pause, let inFlight):
            "; restarting in \(pause.components.seconds)s\(Self.given(inFlight))"
        case .stops(let dropped) where dropped.isEmpty: "; it is stopped until a reload changes it"
        case .stops(let dropped):
            "; it is stopped until a reload changes it, and \(counted(dropped.count, "event")) in flight dropped: "
                + dropped.names
        case .exits: "; the daemon exits"
        }
    }

    private static func given(_ inFlight: Int) -> String {
        inFlight == 0 ? "" : ", with \(counted(inFlight, "event that was", "events that were")) in flight"
    }
}

extension PipelineEvent {
    /// The longest value that a record contains, in bytes.
    private static let longestShown = 16 * 1024

    /// The value as JSON, for a record; `nil` if it is too long.
    fileprivate var shownValue: String? {
        let bytes = value.bytes
        return bytes.count <= Self.longestShown ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// The longest value of a source in a record, in bytes.
    private static let longestSourceValue = 1024

    /// The value that the source emitted as JSON, for a record; `nil` if it is too long, or no longer known.
    var shownSourceValue: String? {
        // A large value is not looked at as a whole.
        var left = 16 * Self.longestSourceValue
        guard let value = delivery?.sourceValue, value.takes(from: &left) else { return nil }
        let bytes = value.bytes
        return bytes.count <= Self.longestSourceValue ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

extension PipelineError {
    /// This error as a record.
    package func record(generation: Int, callStack: [String] = []) -> Record {
        let error = cause.withoutCheckpoints
        let step = error as? StepError
        let event = event ?? step?.event
        let checkpoints = cause.checkpoints
        return Record(
            sink == nil ? .error : .sink, .err, generation: generation, description,
            [
                .pipeline: pipeline, .source: event?.source, .sink: sink, .step: step?.step,
                .sequence: event.map { String($0.sequence) }, .cause: event?.cause, .eventID: event?.id,
                .value: event?.shownValue, .sourceValue: event?.shownSourceValue,
                .sourceTime: event?.origin.recordedTime,
                .error: "\(error)", .errorType: "\(type(of: error))",
                .checkpoint: checkpoints.isEmpty ? nil : checkpoints.joined(separator: " > "),
                .callStack: callStack.isEmpty ? nil : callStack.joined(separator: "\n"),
            ])
    }
}
