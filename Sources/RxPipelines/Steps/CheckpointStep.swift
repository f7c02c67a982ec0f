import RxEngine
import RxYAML

/// `checkpoint: NAME`: adds the name to errors that pass, for the field RX_CHECKPOINT of their records. Events pass
/// unchanged.
struct CheckpointStep: StepKind {
    let name: String

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.string("a name", example: "parsed").read(node, context).map(CheckpointStep.init)
    }

    var checkpoint: String? { name }
    var keepsValues: Bool { true }
    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.checkpoint(name)
    }
}
