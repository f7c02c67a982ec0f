import RxEngine

/// `takeWhile: EXPRESSION`: events up to the first for which the expression is false or null, and then the end.
struct TakeWhileStep: StepKind {
    let expression: Expression

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        Expression(node, of: "takeWhile", example: "'.ok'", report).map(TakeWhileStep.init)
    }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        events.keyed(by: expression, in: surroundings).take(while: { $0.key.isTruthy }).map(\.event)
    }
}
