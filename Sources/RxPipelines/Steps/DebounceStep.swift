import RxDiagnostics
import RxEngine
import RxYAML

/// `debounce: 200ms`: emits the latest event when no other has arrived for this time.
struct DebounceStep: StepKind {
    let span: Duration

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.duration(.milliseconds(1) ... .longestInConfig).read(node, context).map(DebounceStep.init)
    }

    func complaint(afterEvery period: Duration, isExact: Bool) -> String? {
        guard span >= period else { return nil }
        return
            "a debounce of \(SystemdDuration.format(span)) after events that come every \(SystemdDuration.format(period)) "
            + "\(isExact ? "" : "or sooner ")never emits one; make it shorter, or filter before it"
    }

    var keepsValues: Bool { true }

    var subscriptions: Int { 1 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.later(events, supersedes: true) { $0.debounce(span.interval, scheduler: context.scheduler) }
    }
}
