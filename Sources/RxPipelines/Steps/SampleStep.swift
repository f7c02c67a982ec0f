import RxDiagnostics
import RxEngine
import RxYAML

/// `sample: NODE`: emits, whenever the node emits, the latest event since the node's previous one.
struct SampleStep: StepKind {
    let other: LocatedText

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.node.read(node, context).map(SampleStep.init)
    }

    var nodes: [LocatedText] { [other] }

    var subscriptions: Int { 2 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.later(events, supersedes: true) { $0.sample(context.node(other.text)) }
    }
}
