import RxEngine

/// `takeWhile: EXPRESSION`: events up to the first for which the expression is false or null, and then the end.
struct TakeWhileStep: StepKind {
    let expression: Expression

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        Expression(node, of: "takeWhile", example: "'.ok'", report).map(TakeWhileStep.init)
    }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        .deferred {
            let isOver = surroundings.cell(false, .flag)
            return events.ending(.takeWhile) { event in
                // After a restart, events that were let through before may come again.
                let taken = try surroundings.attemptOnce(event) {
                    if !isOver.value, try expression.first(event)?.isTruthy != true { isOver.value = true }
                    return isOver.value ? nil : event
                }
                return (taken, isOver.value && !surroundings.isRecalling(event))
            }
        }
    }
}
