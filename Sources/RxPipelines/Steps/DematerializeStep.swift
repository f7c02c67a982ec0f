import RxDiagnostics
import RxEngine
import RxJQ
import RxYAML

/// `dematerialize`: turns what `materialize` has made back into what it was. An error fails the steps on that event.
struct DematerializeStep: StepKind {
    let place: SourceLocationCell

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: dematerialize has no settings") }
        return DematerializeStep(place: context.locationCell(at: node.location))
    }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.map { event -> Event<PipelineEvent> in
            switch event.content["kind"]?.json.string {
            case "next": .next(event.with(event.content["value"] ?? .null))
            case "completed": .completed
            case "error":
                .error(
                    StepError(
                        step: "dematerialize", location: place.location,
                        // The failure that `materialize` has caught may be that of no event.
                        event: event.source == context.pipeline ? nil : event,
                        message: event.content["error"]?.json.string ?? "an error"))
            default: .next(event)
            }
        }
        .dematerialize()
    }
}
