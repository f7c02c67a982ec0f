import RxEngine

/// `single`, or `single: EXPRESSION`: the one event for which the expression holds; fails where there are several or none.
struct SingleStep: StepKind {
    let expression: Expression?
    let location: SourceLocation

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        if node.isNull { return SingleStep(expression: nil, location: node.location) }
        guard let expression = Expression(node, of: "single", example: "'.ok'", report) else { return nil }
        return SingleStep(expression: expression, location: node.location)
    }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        events.single { try expression?.first($0)?.isTruthy ?? true }
            .failing(as: "single", at: location, "there is not just one event")
    }
}
