import RxEngine
import RxYAML

/// `throttle: 30s`, or `throttle: { span: 30s, latest: false }`: one event at most is emitted in this span, the first
/// at once; the last of the others when it is over, unless `latest` is false.
struct ThrottleStep: StepKind {
    let span: Duration
    let latest: Bool

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = Fields(node, in: "throttle", short: "span", context)
        let span = fields.required("span", .duration(.milliseconds(1) ... .seconds(366 * 86_400)))
        let latest = fields.optional("latest", .bool) ?? true
        guard fields.finish(), let span else { return nil }
        return ThrottleStep(span: span, latest: latest)
    }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.later(events, supersedes: true) {
            $0.throttle(span.interval, latest: latest, scheduler: context.scheduler)
        }
    }
}
