import RxDiagnostics
import RxEngine
import RxYAML

/// `window: { span: 1min, count: 100, steps: [reduce: …] }`: divides the events into windows, each of which ends when
/// it has `count` events or is `span` old, and passes each window through steps of its own. Their events are emitted as
/// they come.
struct WindowStep: StepKind {
    let span: Duration?
    let count: Int?
    let steps: [any StepKind]

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = FieldReader(node, in: "window", context)
        let span = fields.optional(
            "span", .duration(.milliseconds(1) ... .longestInConfig), "The longest time that a window is open")
        let count = fields.optional("count", .int(1...1_000_000), "The number of events after which a window closes")
        let steps = fields.required("steps", .list(of: Registry.steps.type), "The steps that each window passes")
        let isEndless = fields.breaks(.atLeastOne(["span", "count"])) != nil
        guard fields.finish(example: { _ in "{ span: 1min, steps: [toArray] }" }), let steps else { return nil }
        if isEndless {
            context.report.add(
                "window needs 'span', 'count' or both: without them no window ever closes", at: fields.location)
            return nil
        }
        return WindowStep(span: span, count: count, steps: steps.map(\.kind))
    }

    var nodes: [LocatedText] { steps.flatMap(\.nodes) }

    var holds: Int { span == nil ? min(steps.holds, count ?? .max) : 0 }

    var isSteady: Bool { false }
    var subscriptions: Int { steps.reduce(3) { $0 + $1.subscriptions } }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events
            .window(
                timeSpan: span?.interval ?? .never, count: count ?? .max, scheduler: context.scheduler
            )
            .flatMap { window in
                steps.apply(to: window, in: context.volatile).charged(to: context.account)
            }
    }
}
