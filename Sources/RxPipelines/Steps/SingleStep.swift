import RxDiagnostics
import RxEngine
import RxYAML

/// `single`, or `single: EXPRESSION`: the one event for which the expression holds; fails where there are several or none.
struct SingleStep: StepKind {
    let expression: Expression?
    let place: SourceLocationCell

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        if node.isNull { return SingleStep(expression: nil, place: context.locationCell(at: node.location)) }
        guard let expression = Expression(node, of: "single", example: "'.ok'", context) else { return nil }
        return SingleStep(expression: expression, place: context.locationCell(at: node.location))
    }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        (expression.map { events.keyed(by: $0, in: surroundings).filter(\.key.isTruthy).map(\.event) } ?? events)
            .single()
            .failing(as: "single", at: place, "there is not just one event")
    }
}
