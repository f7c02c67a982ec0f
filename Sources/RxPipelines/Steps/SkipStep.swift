import RxEngine

/// `skip: 3`: all but the first so many events.
struct SkipStep: StepKind {
    let count: Int

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        FieldType.int(0...1_000_000).read(node, report).map(SkipStep.init)
    }

    func apply(to events: Observable<PipelineEvent>, on scheduler: any SchedulerType) -> Observable<PipelineEvent> {
        events.skip(count)
    }
}
