import RxDiagnostics
import RxEngine
import RxYAML

/// `sample: NODE`: whenever the node emits an event, the last of the events since its one before.
struct SampleStep: StepKind {
    let other: LocatedText

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.node.read(node, context).map(SampleStep.init)
    }

    var nodes: [LocatedText] { [other] }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.later(events, supersedes: true) { $0.sample(context.node(other.text)) }
    }
}
