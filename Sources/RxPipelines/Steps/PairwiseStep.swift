import RxEngine

/// `pairwise`: from the second event on, a list of the one before and this one.
struct PairwiseStep: StepKind {

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        guard node.isNull else { return report.wrong(node, "nothing: pairwise has no settings") }
        return PairwiseStep()
    }

    func apply(to events: Observable<PipelineEvent>, on scheduler: any SchedulerType) -> Observable<PipelineEvent> {
        events
            .scan((before: PipelineEvent?.none, now: PipelineEvent?.none)) { (before: $0.now, now: $1) }
            .compactMap { pair in
                guard let before = pair.before, var event = pair.now else { return nil }
                event.value = [before.value, event.value]
                return event
            }
    }
}
