import RxEngine
import RxYAML

/// `toArray`: one list of all values, when the source has come to its end.
struct ToArrayStep: StepKind {

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: toArray has no settings") }
        return ToArrayStep()
    }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.toArray().asObservable().map { context.list($0) }
    }
}
