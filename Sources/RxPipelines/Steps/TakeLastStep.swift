import RxEngine
import RxYAML

/// `takeLast: 3`: the last so many events, when the source has come to its end.
struct TakeLastStep: StepKind {
    let count: Int

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.int(0...1_000_000).read(node, context).map(TakeLastStep.init)
    }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.takeLast(count)
    }
}
