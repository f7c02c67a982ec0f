import RxEngine
import RxJQ
import RxYAML

/// `distinctUntilChanged`, or `distinctUntilChanged: { by: .status }`: leaves out each event whose value, or what `by`
/// makes of it, is that of the last one let through.
struct DistinctUntilChangedStep: StepKind {
    let key: Expression?

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        if node.isNull { return DistinctUntilChangedStep(key: nil) }
        var fields = Fields(node, in: "distinctUntilChanged", short: "by", context)
        let key = fields.optional("by", .expression(of: "distinctUntilChanged", example: "'.status'"))
        guard fields.finish() else { return nil }
        return DistinctUntilChangedStep(key: key)
    }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let last = context.cell(nil as JQValue?, .optionalValue)
            return events.compactMap(countedAs: .distinctUntilChanged) { event in
                try context.attemptOnce(event) {
                    let value = try key.map { try $0.first(event, in: context) ?? .null } ?? event.content
                    if last.value == value { return nil }
                    last.value = value
                    return event
                }
            }
        }
    }
}
