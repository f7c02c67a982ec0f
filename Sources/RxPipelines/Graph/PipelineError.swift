import RxEngine

/// An error as it reaches `Hooks.defaultErrorHandler`: what failed, in which pipeline, and what is done about it.
package struct PipelineError: Error {
    /// What becomes of the pipeline.
    package enum Consequence: Sendable, Equatable {
        /// The event that it failed on is dropped.
        case goesOn
        /// The steps forget what they remember, and are given what was in flight in them.
        case stepsStartAfresh
        /// The steps are given what was in flight in them.
        case stepsRestart(inFlight: Int)
        case startsAgain(after: Duration, inFlight: Int = 0)
        case stops(dropping: [SourceEvent])
        /// It stops, and the daemon with it.
        case exits
    }

    package let pipeline: String?
    /// The sink, where it was one that failed: the pipeline then goes on.
    package let sink: String?
    /// The event that a sink failed on.
    package let event: PipelineEvent?
    package let consequence: Consequence
    /// What went wrong.
    package let cause: any Error

    /// An error that no pipeline knows of.
    package init(unhandled error: any Error) {
        self.init(pipeline: nil, cause: error)
    }

    init(
        pipeline: String?, sink: String? = nil, event: PipelineEvent? = nil, consequence: Consequence = .goesOn,
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

    /// The same for whoever keeps it: its event does not wait for that.
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
        case .goesOn: ""
        case .stepsStartAfresh: "; its steps start afresh"
        case .stepsRestart(let inFlight): "; its steps restart\(Self.given(inFlight))"
        case .startsAgain(let pause, let inFlight):
            "; starting again in \(pause.components.seconds)s\(Self.given(inFlight))"
        case .stops(let dropped) where dropped.isEmpty: "; it is stopped until the next reload"
        case .stops(let dropped):
            "; it is stopped until the next reload, and \(counted(dropped.count, "event")) in flight dropped: "
                + dropped.names
        case .exits: "; the daemon ends with it"
        }
    }

    private static func given(_ inFlight: Int) -> String {
        inFlight == 0 ? "" : ", with \(counted(inFlight, "event that was", "events that were")) in flight"
    }
}

extension PipelineEvent {
    /// A longer value is too much for a record.
    private static let longestShown = 16 * 1024

    /// The value as JSON, for a record; `nil` where it is too long.
    fileprivate var shownValue: String? {
        let bytes = value.bytes
        return bytes.count <= Self.longestShown ? String(decoding: bytes, as: UTF8.self) : nil
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
                .value: event?.shownValue,
                .error: "\(error)", .errorType: "\(type(of: error))",
                .checkpoint: checkpoints.isEmpty ? nil : checkpoints.joined(separator: " > "),
                .callStack: callStack.isEmpty ? nil : callStack.joined(separator: "\n"),
            ])
    }
}
