import RxEngine
import RxYAML

/// `skip: 3`: drops this number of events at first. `skip: { for: 10s }`: drops the events of the first ten seconds.
struct SkipStep: StepKind {
    let amount: Amount

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        Amount(node, in: "skip", context).map(SkipStep.init)
    }

    var keepsValues: Bool { true }
    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        switch amount {
        case .count(let count):
            .deferred {
                let seen = context.cell(0, .count)
                return events.compactMap(countedAs: .skip) { event in
                    // A redelivered event may have been skipped before.
                    if seen.value == count, !context.isRecalling(event) { return event }
                    return context.once(event) {
                        if seen.value == count { return event }
                        seen.value += 1
                        return nil
                    }
                }
            }
        case .span(let span):
            context.later(events) { $0.skip(span.interval, scheduler: context.scheduler) }
        }
    }
}
