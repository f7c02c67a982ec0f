import RxDiagnostics
import RxEngine
import RxYAML

/// `buffer: { span: 10s, count: 100 }`: emits lists of values, each when it has `count` values or is `span` old, even
/// an empty one. `buffer: { count: 3, skip: 1 }`: emits lists of three; a new one begins with every event.
/// Without `span`, a list is emitted early if the memory of its events holds back their source.
struct BufferStep: StepKind {
    let span: Duration?
    let count: Int?
    let skip: Int?

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = FieldReader(node, in: "buffer", context)
        let span = fields.optional(
            "span", .duration(.milliseconds(1) ... .longestInConfig),
            "The longest time that a list collects events")
        let count = fields.optional("count", .int(1...100_000), "The number of events after which a list is emitted")
        let skip = fields.optional(
            "skip", .int(1...100_000), "After how many events the next list begins; default: count")
        let isEndless = fields.breaks(.atLeastOne(["span", "count"])) != nil
        let isAlone = fields.breaks(.needs("skip", "count")) != nil
        let isStray = fields.breaks(.atMostOne(["skip", "span"])) != nil || isAlone
        guard fields.finish(example: { _ in "{ count: 100, span: 10s }" }) else { return nil }
        if isEndless {
            context.report.add(
                "buffer needs 'span', 'count' or both: without them no list is ever emitted",
                at: fields.location
            )
            return nil
        }
        if isStray {
            context.report.add(
                "'skip' needs 'count' and cannot be combined with 'span'", at: fields.location(of: "skip"))
            return nil
        }
        return BufferStep(span: span, count: count, skip: skip)
    }

    var holds: Int { span == nil ? count ?? 0 : 0 }

    var makesLists: Bool { true }

    var subscriptions: Int { span == nil ? 0 : 1 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        // With `skip`, an event may be in several lists, so that it has no single result.
        guard context.memory != nil, skip == nil else {
            return buffers(of: events, context).map { context.list($0) }
        }
        return .deferred {
            let bypass = RedeliveryBypass(context.memory, path: context.path)
            return bypass.leaving(
                buffers(of: bypass.entering(events), context).map { events in
                    let list = context.list(events)
                    bypass.setResult(list, of: events)
                    return list
                })
        }
    }

    private func buffers(
        of events: Observable<PipelineEvent>, _ context: StepContext
    ) -> Observable<[PipelineEvent]> {
        guard span == nil, let count else {
            return events.buffer(
                timeSpan: span?.interval ?? .never, count: count ?? .max, scheduler: context.scheduler)
        }
        return events.batches(of: count, every: skip ?? count) { short in
            context.records.write(
                Record(
                    .event, .warning, generation: context.generation(),
                    "buffer: a list has \(counted(short, "event", "events")) instead of \(count), since the events of "
                        + "its source use all the memory that they may; lower the count",
                    [.pipeline: context.pipeline, .step: "buffer"]))
        }
    }
}
