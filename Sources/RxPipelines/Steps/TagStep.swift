import RxEngine
import RxYAML

/// `tag: NAME`: counts the live objects of the steps before it under a name. All tags of that name count together.
struct TagStep: StepKind {
    let name: String

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.string("a name", example: "parsing").read(node, context).map(TagStep.init)
    }

    var keepsValues: Bool { true }
    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.tag(name)
    }
}
