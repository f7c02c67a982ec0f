import RxEngine
import RxYAML

/// `flatMap: SOURCE`: each event makes a source, whose fields may hold templates, and its events are emitted; all of
/// them run at once. See ``InnerSource``.
struct FlatMapStep: StepKind {
    let source: InnerSource

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.innerSource(of: "flatMap").read(node, context).map(FlatMapStep.init)
    }

    var isSteady: Bool { false }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.later(events) { $0.flatMap { try source.events(for: $0, in: context) } }
    }
}
