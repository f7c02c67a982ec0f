import RxDiagnostics
import RxEngine
import RxLinux
import RxYAML

/// `pairwise`: emits, from the second event on, a list of the previous value and the current one.
struct PairwiseStep: StepKind {
    let locationCell: SourceLocationCell

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: pairwise has no settings") }
        return PairwiseStep(locationCell: context.locationCell(at: node.location))
    }

    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let last = context.cell(nil, .event)
            let reservation = context.quota.reservation(holding: last.value?.memory ?? 0)
            return events.compactMap { event in
                try context.attemptOnce(event) {
                    try reservation.set(event.memory, for: event, of: "pairwise", at: locationCell)
                    let previous = last.update { last in
                        defer { last = event.remembered }
                        return last
                    }
                    return previous.map { event.with([$0.content, event.content]).made(of: [$0]) }
                }
            }
        }
    }
}
