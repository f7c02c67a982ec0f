import RxEngine
import RxYAML

/// `first`: emits the first event, or null if the source completes without one, and completes.
struct FirstStep: StepKind {
    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: first has no settings") }
        return FirstStep()
    }

    var completesEarly: Bool { true }

    var subscriptions: Int { 2 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let isOver = context.cell(false, .flag)
            return context.ending(events, .first, isOver: { isOver.value }) { event in
                if isOver.value { return nil }
                isOver.value = true
                return event
            }
            .ifEmpty(
                switchTo: .deferred {
                    if isOver.value { return .empty() }
                    isOver.value = true
                    return .just(context.event(.null))
                })
        }
    }
}
