import RxEngine

/// `take: 3`: the first so many events, and then the end.
struct TakeStep: StepKind {
    let count: Int

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        FieldType.int(0...1_000_000).read(node, report).map(TakeStep.init)
    }

    func apply(to events: Observable<PipelineEvent>, on scheduler: any SchedulerType) -> Observable<PipelineEvent> {
        events.take(count)
    }
}
