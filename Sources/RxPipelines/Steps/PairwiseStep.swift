import RxEngine
import RxYAML

/// `pairwise`: from the second event on, a list of the one before and this one.
struct PairwiseStep: StepKind {
    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: pairwise has no settings") }
        return PairwiseStep()
    }

    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let last = context.cell(nil, .event)
            return events.compactMap { event in
                context.once(event) {
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
