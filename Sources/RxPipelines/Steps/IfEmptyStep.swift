import RxEngine
import RxJSON
import RxYAML

/// `ifEmpty: VALUE`: emits the value if the source completes without an event.
struct IfEmptyStep: StepKind {
    let value: JSON

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.value.read(node, context).map(IfEmptyStep.init)
    }

    var subscriptions: Int { 2 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let (events, isEmpty) = context.detectingEmpty(events)
            return events.ifEmpty(switchTo: .deferred { isEmpty() ? .just(context.event(value)) : .empty() })
        }
    }
}
