import RxEngine
import RxYAML

/// `toArray`: one list of all values, when the source has come to its end.
struct ToArrayStep: StepKind {

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: toArray has no settings") }
        return ToArrayStep()
    }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let (events, isEmpty) = context.noting(events)
            return events.toArray().asObservable().compactMap { !$0.isEmpty || isEmpty() ? context.list($0) : nil }
        }
    }
}
