import RxEngine
import RxYAML

/// `takeWhile: EXPRESSION`: events up to the first for which the expression is false or null, and then the end.
struct TakeWhileStep: StepKind {
    let expression: Expression

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        Expression(node, of: "takeWhile", example: "'.ok'", context).map(TakeWhileStep.init)
    }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        .deferred {
            let isOver = surroundings.cell(false, .flag)
            return surroundings.ending(events, .takeWhile, isOver: { isOver.value }) { event in
                if !isOver.value, try expression.first(event, in: surroundings)?.isTruthy != true {
                    isOver.value = true
                }
                return isOver.value ? nil : event
            }
        }
    }
}
