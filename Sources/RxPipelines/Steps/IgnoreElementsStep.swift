import RxEngine
import RxYAML

/// `ignoreElements`: drops all events; only completion and errors pass.
struct IgnoreElementsStep: StepKind {
    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: ignoreElements has no settings") }
        return IgnoreElementsStep()
    }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.ignoreElements().map { (never: Never) -> PipelineEvent in }
    }
}
