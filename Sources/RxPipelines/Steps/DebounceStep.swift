import RxEngine

/// `debounce: 200ms`: once nothing else has come for this long, the last event is told.
struct DebounceStep: StepKind {
    let span: Duration

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        FieldType.duration(.milliseconds(1) ... .seconds(366 * 86_400)).read(node, report).map(DebounceStep.init)
    }

    func apply(to events: Observable<PipelineEvent>, on scheduler: any SchedulerType) -> Observable<PipelineEvent> {
        events.debounce(span.interval, scheduler: scheduler)
    }
}
