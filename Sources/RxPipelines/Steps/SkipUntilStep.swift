import RxEngine

/// `skipUntil: NODE`: events from when the node has told one.
struct SkipUntilStep: StepKind {
    let other: LocatedText

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        FieldType.node.read(node, report).map(SkipUntilStep.init)
    }

    var nodes: [LocatedText] { [other] }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        events.skip(until: surroundings.node(other.text))
    }
}
