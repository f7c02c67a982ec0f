import RxDiagnostics
import RxEngine
import RxJQ
import RxLinux
import RxYAML

/// `distinctUntilChanged`, or `distinctUntilChanged: { by: .status }`: drops an event whose value, or the result of
/// `by` for it, equals that of the last emitted event.
struct DistinctUntilChangedStep: StepKind {
    let key: Expression?
    let locationCell: SourceLocationCell

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        let locationCell = context.locationCell(at: node.location)
        if node.isNull { return DistinctUntilChangedStep(key: nil, locationCell: locationCell) }
        var fields = FieldReader(node, in: "distinctUntilChanged", short: "by", context)
        let key = fields.optional(
            "by", .expression(of: "distinctUntilChanged", example: "'.status'"),
            "The part of the event that is compared; default: all of it")
        guard fields.finish() else { return nil }
        return DistinctUntilChangedStep(key: key, locationCell: locationCell)
    }

    var valueExpression: Expression? { key }
    var keepsValues: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let last = context.cell(nil as JQValue?, .optionalValue)
            let reservation = context.quota.reservation(holding: last.value?.measuredMemory ?? 0)
            return events.compactMap(countedAs: .distinctUntilChanged) { event in
                try context.attemptOnce(event) {
                    let value = try key.map { try $0.first(event, in: context) ?? .null } ?? event.content
                    if last.value == value { return nil }
                    let memory = key == nil ? event.memory : value.measuredMemory
                    try reservation.set(memory, for: event, of: "distinctUntilChanged", at: locationCell)
                    last.value = value
                    return event
                }
            }
        }
    }
}
