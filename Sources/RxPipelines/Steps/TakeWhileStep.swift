import RxEngine
import RxYAML

/// `takeWhile: EXPRESSION`: emits events until the expression is false or null for one, and completes.
struct TakeWhileStep: StepKind {
    let expression: Expression

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        Expression(node, of: "takeWhile", example: "'.ok'", isCondition: true, context).map(TakeWhileStep.init)
    }

    var completesEarly: Bool { true }

    var valueExpression: Expression? { expression }
    var keepsValues: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let isOver = context.cell(false, .flag)
            return context.ending(events, .takeWhile, isOver: { isOver.value }) { event in
                if !isOver.value, try expression.first(event, in: context)?.isTruthy != true {
                    isOver.value = true
                }
                return isOver.value ? nil : event
            }
        }
    }
}
