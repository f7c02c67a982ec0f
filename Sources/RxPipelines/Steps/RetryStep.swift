import RxEngine
import RxYAML

/// `retry: { times: 5, delay: 1s }` or `retry: { backoff: 1s..1min, jitter: 0.2 }`: if a step before it fails, restarts
/// the steps before it without their state, after a pause. The event that failed is lost; the next attempt processes
/// the events that were in flight and those of the meantime.
struct RetryStep: StepKind {
    let policy: RetryPolicy

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.retryPolicy.read(node, context).map(RetryStep.init)
    }

    var isSteady: Bool { false }
    var subscriptions: Int { 4 }

    var handlesFailures: Bool { true }

    var restartsEarlierSteps: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        let input = context.retryInput
        var policy = policy
        // The last failure, which is not retried, fails the pipeline.
        policy.shouldRetry = { error in
            context.restarting(error)
            return true
        }
        let attempts = events.do(onError: { input?.steps.runHasFailed(on: $0.stepError?.event) })
            .retry(policy, scheduler: context.scheduler)
        return input.map { $0.steps.running(attempts, on: $0.source) } ?? attempts
    }
}
