import RxEngine

/// `distinctUntilChanged`, or `distinctUntilChanged: { by: .status }`: leaves out each event whose value, or what `by` makes
/// of it, is that of the last one let through.
struct DistinctUntilChangedStep: StepKind {
    let key: Expression?

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        if node.isNull { return DistinctUntilChangedStep(key: nil) }
        var fields = Fields(node, in: "distinctUntilChanged", short: "by", report)
        let key = fields.optional("by", .expression(of: "distinctUntilChanged", example: "'.status'"))
        guard fields.finish() else { return nil }
        return DistinctUntilChangedStep(key: key)
    }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        guard let key else { return events.distinctUntilChanged { $0.value } }
        return events.keyed(by: key, in: surroundings).distinctUntilChanged { $0.key }.map(\.event)
    }
}
