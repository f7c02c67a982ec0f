import RxEngine
import RxJSON
import RxYAML

/// `ifEmpty: VALUE`: the value, where the end comes before any event.
struct IfEmptyStep: StepKind {
    let value: JSON

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.value.read(node, context).map(IfEmptyStep.init)
    }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let (events, isEmpty) = context.noting(events)
            return events.ifEmpty(switchTo: .deferred { isEmpty() ? .just(context.event(value)) : .empty() })
        }
    }
}
