import RxEngine
import RxYAML

/// `flatMapLatest: SOURCE`: starts an inner source for each event, stops the one before, and emits its events. See
/// ``InnerSource``.
struct FlatMapLatestStep: StepKind {
    let source: InnerSource

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.innerSource(of: "flatMapLatest").read(node, context).map(FlatMapLatestStep.init)
    }

    var startsSources: Bool { true }
    var isSteady: Bool { false }
    var subscriptions: Int { 1 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.later(events, supersedes: true) {
            $0.flatMapLatest { try source.events(for: $0, in: context) }
        }
    }
}
