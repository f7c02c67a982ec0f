import RxDiagnostics
import RxEngine
import RxYAML

/// `timeout: 30s`: fails if no event arrives for this time. `timeout: { after: 30s, other: NODE }`: switches to the
/// events of that node instead.
struct TimeoutStep: StepKind {
    let span: Duration
    let other: LocatedText?
    let locationCell: SourceLocationCell

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = FieldReader(node, in: "timeout", short: "after", context)
        let span = fields.required(
            "after", .duration(.milliseconds(1) ... .longestInConfig), "The longest time between two events")
        let other = fields.optional("other", .node, "The node that is used after the timeout; default: the step fails")
        guard fields.finish(), let span else { return nil }
        return TimeoutStep(span: span, other: other, locationCell: context.locationCell(at: node.location))
    }

    var nodes: [LocatedText] { other.map { [$0] } ?? [] }
    var keepsPace: Bool { other == nil }

    func complaint(afterEvery period: Duration, isExact: Bool) -> String? {
        guard isExact, span < period else { return nil }
        return
            "a timeout of \(SystemdDuration.format(span)) is shorter than the \(SystemdDuration.format(period)) from one "
            + "event to the next: it would fail each time; make it longer"
    }

    var isSteady: Bool { false }
    var subscriptions: Int { 1 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        if let other {
            return events.timeout(
                span.interval, other: context.node(other.text), scheduler: context.scheduler)
        }
        return events.timeout(span.interval, scheduler: context.scheduler)
            .failing(as: "timeout", at: locationCell, "no event for \(SystemdDuration.format(span))")
    }
}
