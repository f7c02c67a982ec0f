import RxEngine
import RxYAML

/// `dematerialize`: turns what `materialize` has made back into what it was.
struct DematerializeStep: StepKind {
    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: dematerialize has no settings") }
        return DematerializeStep()
    }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        events.map { event -> Event<PipelineEvent> in
            switch event.value["kind"]?.string {
            case "next": .next(event.with(event.value["value"] ?? .null))
            case "completed": .completed
            case "error": .error(MaterializedError(message: event.value["error"]?.string ?? "an error"))
            default: .next(event)
            }
        }
        .dematerialize()
    }
}

/// An error that `materialize` made a text of.
struct MaterializedError: Error, CustomStringConvertible {
    let message: String

    var description: String { message }
}
