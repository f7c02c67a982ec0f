import RxEngine

/// `skipWhile: EXPRESSION`: all events from the first on for which the expression is false or null.
struct SkipWhileStep: StepKind {
    let expression: Expression

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        Expression(node, of: "skipWhile", example: "'.ok'", report).map(SkipWhileStep.init)
    }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        events.keyed(by: expression, in: surroundings).skip(while: { $0.key.isTruthy }).map(\.event)
    }
}
