import RxEngine
import RxYAML

/// `skipWhile: EXPRESSION`: drops events until the expression is false or null for one.
struct SkipWhileStep: StepKind {
    let expression: Expression

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        Expression(node, of: "skipWhile", example: "'.ok'", isCondition: true, context).map(SkipWhileStep.init)
    }

    var valueExpression: Expression? { expression }
    var keepsValues: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let isOpen = context.cell(false, .flag)
            return events.compactMap(countedAs: .skipWhile) { event in
                try context.attemptOnce(event) {
                    if !isOpen.value {
                        if try expression.first(event, in: context)?.isTruthy == true { return nil }
                        isOpen.value = true
                    }
                    return event
                }
            }
        }
    }
}
