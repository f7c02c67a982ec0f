import RxEngine
import RxJSON
import RxYAML

/// `startWith: VALUE`: emits the value before all events.
struct StartWithStep: StepKind {
    let value: JSON

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.value.read(node, context).map(StartWithStep.init)
    }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let isEmitted = context.cell(false, .flag)
            if isEmitted.value { return events }
            isEmitted.value = true
            return events.startWith(context.event(value))
        }
    }
}
