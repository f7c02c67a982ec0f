import RxEngine
import RxYAML

/// `flatMap: SOURCE`: starts an inner source for each event, and emits the events of all of them as they come. See
/// ``InnerSource``.
struct FlatMapStep: StepKind {
    let source: InnerSource

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.innerSource(of: "flatMap").read(node, context).map(FlatMapStep.init)
    }

    var startsSources: Bool { true }
    var isSteady: Bool { false }
    var subscriptions: Int { 1 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.later(events) { $0.flatMap { try source.events(for: $0, in: context) } }
    }
}
