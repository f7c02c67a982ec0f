import RxDiagnostics
import RxEngine

/// The cause of a pipeline's completion, for the record of it. The first cause that a run of the pipeline notes counts.
final class PipelineCompletion: Sendable {
    /// What ends the events of a pipeline.
    enum Cause: Sendable {
        /// A step completes before its input does.
        case step(PlacedStep)
        /// The inputs have completed.
        case inputs
        /// A failure stops the pipeline.
        case failure
    }

    private let pipeline: String
    private let inputs: [Node]
    private let record: @Sendable (String) -> Void
    private let cause = Locked<Cause?>(nil)

    /// - Parameters:
    ///   - pipeline: the name of the pipeline.
    ///   - inputs: the nodes that it takes events from.
    ///   - record: writes a record.
    init(of pipeline: String, inputs: [Node], record: @escaping @Sendable (String) -> Void) {
        self.pipeline = pipeline
        self.inputs = inputs
        self.record = record
    }

    /// Sets the cause, unless the run has one.
    func setCause(_ new: Cause) {
        cause.withLock { $0 = $0 ?? new }
    }

    /// Forgets the cause, since the steps start.
    func reset() {
        cause.withLock { $0 = nil }
    }

    /// Records the completion and its cause.
    func complete() {
        let cause = reason?.text(for: pipeline) ?? "its steps have ended; a reload that changes it starts it again"
        record("\(pipeline) has completed: \(cause)")
    }

    /// The output of a step, whose completion is a cause.
    func trackingEnd(_ output: Observable<PipelineEvent>, of step: PlacedStep) -> Observable<PipelineEvent> {
        output.lift { StepEndSink(to: $0, self, step) }
    }

    /// The cause, and the node that it happened in.
    private struct Reason {
        let node: String
        let what: String
        let change: String

        func text(for pipeline: String) -> String {
            let isOwn = node == pipeline
            return "\(what) \(isOwn ? "it" : node); a reload that changes \(change) starts it again"
        }
    }

    private var reason: Reason? {
        switch cause.withLock({ $0 }) {
        case .step(let step):
            Reason(node: pipeline, what: "the '\(step.name)' at \(step.locationCell.location) ended", change: steps)
        case .failure: Reason(node: pipeline, what: "a failure stopped", change: steps)
        case .inputs:
            inputs.lazy.compactMap { $0.completion?.reason }.first
                ?? inputs.first.map { Reason(node: $0.name, what: "no more events come from", change: $0.name) }
        case nil: nil
        }
    }

    private var steps: String { "'from' or 'steps' of \(pipeline)" }
}

/// Sets the completion of a step as the cause.
private final class StepEndSink: OperatorSink<PipelineEvent, PipelineEvent> {
    private let completion: PipelineCompletion
    private let step: PlacedStep

    init(to downstream: Sink<PipelineEvent>, _ completion: PipelineCompletion, _ step: PlacedStep) {
        self.completion = completion
        self.step = step
        super.init(to: downstream)
    }

    override func next(_ event: PipelineEvent) { downstream.next(event) }

    override func completed() {
        completion.setCause(.step(step))
        downstream.completed()
    }
}
