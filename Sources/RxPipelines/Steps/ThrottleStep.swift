import RxEngine
import RxYAML

/// `throttle: 30s`, or `throttle: { span: 30s, latest: false }`: emits an event at once, and drops others for this
/// time; then emits the latest of these, unless `latest` is false.
struct ThrottleStep: StepKind {
    let span: Duration
    let latest: Bool

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = FieldReader(node, in: "throttle", short: "span", context)
        let span = fields.required(
            "span", .duration(.milliseconds(1) ... .longestInConfig),
            "The time in which at most one event is emitted")
        let latest =
            fields.optional(
                "latest", .bool, "Whether the latest other event is emitted when the time is over; default: true")
            ?? true
        guard fields.finish(), let span else { return nil }
        return ThrottleStep(span: span, latest: latest)
    }

    var keepsValues: Bool { true }

    var subscriptions: Int { 1 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.later(events, supersedes: true) {
            $0.throttle(span.interval, latest: latest, scheduler: context.scheduler)
        }
    }
}
