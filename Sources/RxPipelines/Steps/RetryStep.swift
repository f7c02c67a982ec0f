import RxEngine

/// `retry: { times: 5, delay: 1s }` or `retry: { backoff: 1s..1min, jitter: 0.2 }`: where a step before it fails, the steps before
/// it start afresh after a wait. Events of the meantime are not seen.
struct RetryStep: StepKind {
    let policy: RetryPolicy

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        FieldType.retryPolicy.read(node, report).map(RetryStep.init)
    }

    var isSteady: Bool { false }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        events.retry(policy, scheduler: surroundings.scheduler)
    }
}
