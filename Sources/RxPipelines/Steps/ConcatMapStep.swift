import RxEngine
import RxYAML

/// `concatMap: SOURCE`: each event makes a source, whose fields may hold templates, and its events are emitted; one
/// after the other. See ``InnerSource``.
struct ConcatMapStep: StepKind {
    let source: InnerSource

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.innerSource(of: "concatMap").read(node, context).map(ConcatMapStep.init)
    }

    var isSteady: Bool { false }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.later(events) { $0.concatMap { try source.events(for: $0, in: context) } }
    }
}
