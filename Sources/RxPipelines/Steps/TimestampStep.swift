import RxEngine
import RxJQ
import RxYAML

/// `timestamp`: replaces each event by `{value, time}`, with the time of its arrival in seconds since 1970.
struct TimestampStep: StepKind {
    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: timestamp has no settings") }
        return TimestampStep()
    }

    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.timestamp(scheduler: context.scheduler).map { stamped in
            stamped.element.with([
                "value": stamped.element.content, "time": JQValue(.number(stamped.time.timeIntervalSince1970)),
            ])
        }
    }
}
