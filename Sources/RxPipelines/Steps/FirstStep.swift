import RxEngine
import RxYAML

/// `first`: the first event, or null where the end comes before any; and then the end.
struct FirstStep: StepKind {
    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: first has no settings") }
        return FirstStep()
    }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.first().map { $0 ?? context.event(.null) }.asObservable()
    }
}
