import RxEngine
import RxYAML

/// `concatMap: SOURCE`: starts an inner source for each event, one after the other, and emits its events. See
/// ``InnerSource``.
struct ConcatMapStep: StepKind {
    let source: InnerSource

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.innerSource(of: "concatMap").read(node, context).map(ConcatMapStep.init)
    }

    var startsSources: Bool { true }
    var isSteady: Bool { false }
    var subscriptions: Int { 1 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.later(events) { $0.concatMap { try source.events(for: $0, in: context) } }
    }
}
