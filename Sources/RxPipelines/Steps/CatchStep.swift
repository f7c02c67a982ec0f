import RxEngine
import RxJSON
import RxYAML

/// `catch: { return: VALUE }`: emits the value and completes if a step before it fails.
struct CatchStep: StepKind {
    let value: JSON

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = FieldReader(node, in: "catch", context)
        let value = fields.required("return", .value, "The value that is emitted after a failure")
        guard fields.finish(example: { _ in "{ return: 3 }" }), let value else { return nil }
        return CatchStep(value: value)
    }

    var handlesFailures: Bool { true }
    var completesEarly: Bool { true }

    var subscriptions: Int { 1 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.catch { _ in .just(context.event(value)) }
    }
}
