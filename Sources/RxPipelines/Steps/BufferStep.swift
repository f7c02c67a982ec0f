import RxEngine
import RxYAML

/// `buffer: { span: 10s, count: 100 }`: lists of values, each emitted when it has `count` of them or is `span` old,
/// even an empty one. `buffer: { count: 3, skip: 1 }`: lists of three, a new one beginning with every event.
struct BufferStep: StepKind {
    let span: Duration?
    let count: Int?
    let skip: Int?

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = Fields(node, in: "buffer", context)
        let span = fields.optional("span", .duration(.milliseconds(1) ... .seconds(366 * 86_400)))
        let count = fields.optional("count", .int(1...100_000))
        let skip = fields.optional("skip", .int(1...100_000))
        let isEndless = fields.breaks(.atLeastOne(["span", "count"])) != nil
        let isAlone = fields.breaks(.needs("skip", "count")) != nil
        let isStray = fields.breaks(.atMostOne(["skip", "span"])) != nil || isAlone
        guard fields.finish() else { return nil }
        if isEndless {
            context.report.add(
                "a buffer without 'span' or 'count' would never be emitted; give one of them, or both",
                at: fields.location
            )
            return nil
        }
        if isStray {
            context.report.add("'skip' goes with 'count' alone", at: fields.location(of: "skip"))
            return nil
        }
        return BufferStep(span: span, count: count, skip: skip)
    }

    var holds: Int { span == nil ? count ?? 0 : 0 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        // Of lists that overlap an event is in several.
        guard context.memory != nil, skip == nil else {
            return buffers(of: events, context.scheduler).map { context.list($0) }
        }
        return .deferred {
            let bypass = Bypass(context.memory, path: context.path)
            return bypass.leaving(
                buffers(of: bypass.entering(events), context.scheduler).map { events in
                    let list = context.list(events)
                    bypass.note(list, of: events)
                    return list
                })
        }
    }

    private func buffers(
        of events: Observable<PipelineEvent>, _ scheduler: any SchedulerType
    ) -> Observable<[PipelineEvent]> {
        if span == nil, let count { return events.buffer(count: count, skip: skip) }
        return events.buffer(timeSpan: span?.interval ?? .never, count: count ?? .max, scheduler: scheduler)
    }
}
