import RxEngine
import RxYAML

/// `retry: { times: 5, delay: 1s }` or `retry: { backoff: 1s..1min, jitter: 0.2 }`: where a step before it fails, the steps before
/// it start afresh after a wait. The event that it failed on is lost; those that were in flight, and those of the meantime, are
/// processed by the next attempt.
struct RetryStep: StepKind {
    let policy: RetryPolicy

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.retryPolicy.read(node, context).map(RetryStep.init)
    }

    var isSteady: Bool { false }

    var handlesFailures: Bool { true }

    var startsStepsAfresh: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        let input = surroundings.retryInput
        let attempts = events.do(onError: { error in
            input?.attemptHasFailed(on: error.stepError?.event)
            surroundings.restarting(error)
        })
        .retry(policy, scheduler: surroundings.scheduler)
        return input?.running(attempts) ?? attempts
    }
}
