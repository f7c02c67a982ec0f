import RxEngine

/// `buffer: { span: 10s, count: 100 }`: lists of values, each told when it has `count` of them or is `span` old. Empty ones are
/// left out.
struct BufferStep: StepKind {
    let span: Duration
    let count: Int

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        var fields = Fields(node, in: "buffer", report)
        let span = fields.required("span", .duration(.milliseconds(1) ... .seconds(366 * 86_400)))
        let count = fields.required("count", .int(1...100_000))
        guard fields.finish(), let span, let count else { return nil }
        return BufferStep(span: span, count: count)
    }

    func apply(to events: Observable<PipelineEvent>, on scheduler: any SchedulerType) -> Observable<PipelineEvent> {
        events.buffer(timeSpan: span.interval, count: count, scheduler: scheduler).compactMap { all in
            guard var event = all.last else { return nil }
            event.value = .array(all.map(\.value))
            return event
        }
    }
}
