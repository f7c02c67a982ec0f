import RxEngine
import RxYAML

/// `filter: EXPRESSION`: emits the events for which the first output of the expression is neither false nor null.
struct FilterStep: StepKind {
    let expression: Expression

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        Expression(node, of: "filter", example: "'.status >= 500'", isCondition: true, context).map(FilterStep.init)
    }

    var valueExpression: Expression? { expression }
    var keepsValues: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.filter { event in
            try context.attempt(event) { try expression.first(event, in: context)?.isTruthy ?? false }
                ?? false
        }
    }
}
