import RxEngine

/// A kind of step, as one entry under a pipeline's `steps:` configures it.
package protocol StepKind: Sendable {
    /// What becomes of `events`. Errors are thrown as ``StepError``.
    func apply(to events: Observable<PipelineEvent>, on scheduler: any SchedulerType) -> Observable<PipelineEvent>
}

/// A step that failed on an event.
package struct StepError: Error, CustomStringConvertible {
    /// The operator's name in the config.
    package let step: String
    /// Where the step stands in the config.
    package let location: SourceLocation
    /// The event it failed on.
    package let cause: String
    package let message: String

    package var description: String { "\(location): \(step) failed on \(cause): \(message)" }
}
