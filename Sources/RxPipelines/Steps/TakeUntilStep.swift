import RxEngine

/// `takeUntil: NODE`: events until the node tells one, and then the end.
struct TakeUntilStep: StepKind {
    let other: LocatedText

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        FieldType.node.read(node, report).map(TakeUntilStep.init)
    }

    var nodes: [LocatedText] { [other] }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        events.take(until: surroundings.node(other.text))
    }
}
