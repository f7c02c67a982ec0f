import RxEngine
import RxJQ
import RxYAML

/// `materialize`: turns events, completion and errors into events: `{kind: next, value}`, and at the end
/// `{kind: completed}` or `{kind: error, error}`. The latter is made of the event that failed, if there is one.
struct MaterializeStep: StepKind {
    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: materialize has no settings") }
        return MaterializeStep()
    }

    var keepsPace: Bool { true }

    var handlesFailures: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.materialize().map { event in
            switch event {
            case .next(let event): event.with(["kind": JQValue("next"), "value": event.content])
            case .error(let error):
                (error.stepError?.event ?? context.event(.null)).with(
                    ["kind": "error", "error": .string("\(error)")])
            case .completed: context.event(["kind": "completed"])
            }
        }
    }
}
