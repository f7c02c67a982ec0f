import RxEngine
import RxYAML

/// `map: EXPRESSION`: replaces each value by the first output of the expression, or by null if it has none.
struct MapStep: StepKind {
    let expression: Expression

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        Expression(node, of: "map", example: "'.status >= 500'", context).map(MapStep.init)
    }

    var valueExpression: Expression? { expression }
    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.compactMap(countedAs: .map) { event in
            try context.attempt(event) { event.with(try expression.first(event, in: context) ?? .null) }
        }
    }
}
