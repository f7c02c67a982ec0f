import RxEngine
import RxYAML

/// `delay: 1s`: emits each event after this time.
struct DelayStep: StepKind {
    let span: Duration

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.duration(.milliseconds(1) ... .longestInConfig).read(node, context).map(DelayStep.init)
    }

    var keepsValues: Bool { true }
    var keepsPace: Bool { true }

    var subscriptions: Int { 1 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.later(events) { $0.delay(span.interval, scheduler: context.scheduler) }
    }
}
