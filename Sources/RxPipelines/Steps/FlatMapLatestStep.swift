import RxEngine
import RxYAML

/// `flatMapLatest: SOURCE`: each event makes a source, whose fields may hold templates, and its events are emitted; a
/// new one ends the one before. See ``InnerSource``.
struct FlatMapLatestStep: StepKind {
    let source: InnerSource

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.innerSource(of: "flatMapLatest").read(node, context).map(FlatMapLatestStep.init)
    }

    var isSteady: Bool { false }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.later(events, supersedes: true) {
            $0.flatMapLatest { try source.events(for: $0, in: context) }
        }
    }
}
