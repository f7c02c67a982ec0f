import RxEngine
import RxYAML

/// `compactMap: EXPRESSION`: like `map`, but drops an event whose result is `null` or missing.
struct CompactMapStep: StepKind {
    let expression: Expression

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        Expression(node, of: "compactMap", example: "'.user // empty'", context).map(CompactMapStep.init)
    }

    var valueExpression: Expression? { expression }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.compactMap { event in
            let value = try context.attempt(event) { try expression.first(event, in: context) } ?? nil
            return value.flatMap { $0.isNull ? nil : event.with($0) }
        }
    }
}
