import RxDiagnostics
import RxEngine
import RxJQ
import RxYAML

/// `dematerialize`: turns the events of `materialize` back into events, completion and errors. An error fails the steps
/// on its event.
struct DematerializeStep: StepKind {
    let locationCell: SourceLocationCell

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: dematerialize has no settings") }
        return DematerializeStep(locationCell: context.locationCell(at: node.location))
    }

    var completesEarly: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.map { event -> Event<PipelineEvent> in
            switch event.content["kind"]?.json.string {
            case "next": .next(event.with(event.content["value"] ?? .null))
            case "completed": .completed
            case "error":
                .error(
                    StepError(
                        step: "dematerialize", location: locationCell.location,
                        // An error without an event has an event of the pipeline itself.
                        event: event.source == context.pipeline ? nil : event,
                        message: event.content["error"]?.json.string ?? "an error"))
            default: .next(event)
            }
        }
        .dematerialize()
    }
}
