import RxEngine
import RxYAML

/// `delaySubscription: 10s`: subscribes to the steps before it this time after the start.
struct DelaySubscriptionStep: StepKind {
    let span: Duration

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.duration(.zero ... .longestInConfig).read(node, context).map(DelaySubscriptionStep.init)
    }

    var isSteady: Bool { false }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            // The delay was before the restart.
            context.memory?.isRestoring == true
                ? events : events.delaySubscription(span.interval, scheduler: context.scheduler)
        }
    }
}
