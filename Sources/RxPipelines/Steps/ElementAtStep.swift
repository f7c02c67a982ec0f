import RxEngine

/// `elementAt: 3`: the event with this number, counted from 0, and then the end.
struct ElementAtStep: StepKind {
    let count: Int

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        FieldType.int(0...1_000_000).read(node, report).map(ElementAtStep.init)
    }

    func apply(to events: Observable<PipelineEvent>, on scheduler: any SchedulerType) -> Observable<PipelineEvent> {
        events.element(at: count)
    }
}
