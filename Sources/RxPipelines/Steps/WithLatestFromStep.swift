import RxDiagnostics
import RxEngine
import RxJQ
import RxYAML

/// `withLatestFrom: NODE`: adds the latest value of the node to each event, and drops events before the node has
/// emitted one. An object gets it as a member named after the node; any other value becomes `{value, NODE}`. With
/// `withLatestFrom: { from: NODE, map: EXPRESSION }` the expression makes the value, given the event and `$latest`.
struct WithLatestFromStep: StepKind {
    let other: LocatedText
    let selector: Expression?

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = FieldReader(node, in: "withLatestFrom", short: "from", context)
        let other = fields.required("from", .node, "The node whose latest event is added")
        let selector = fields.optional(
            "map", .expression(of: "withLatestFrom", example: "'{path, load: $latest}'", binding: ["latest"]),
            "The value to emit, made of the event and $latest")
        guard fields.finish(), let other else { return nil }
        return WithLatestFromStep(other: other, selector: selector)
    }

    var nodes: [LocatedText] { [other] }
    var keepsPace: Bool { true }

    var subscriptions: Int { 1 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let bypass = RedeliveryBypass(context.memory, path: context.path)
            let latestContext = context.inside("latest")
            let latest = context.node(other.text).droppingRestoredReplays(latestContext.memory).filter {
                latestContext.isNew($0)
            }
            .map(
                \.remembered
            )
            .keepingLast(in: latestContext.cell(nil, .event))
            let combined = bypass.trackingResults(events).withLatestFrom(latest) { event, latest -> PipelineEvent? in
                let value = try context.attempt(event) { try combine(event, latest, context) }
                guard let value else {
                    bypass.fail()
                    return nil
                }
                let combined = event.with(value)
                bypass.emit(combined)
                return combined
            }
            return bypass.leaving(combined.compactMap(\.self))
        }
    }

    private func combine(
        _ event: PipelineEvent, _ latest: PipelineEvent, _ context: StepContext
    ) throws -> JQValue {
        if let selector {
            return try selector.first(event, ["latest": latest.content], in: context) ?? .null
        }
        let value = event.content.isObject ? event.content : ["value": event.content]
        return value.setting(other.text, to: latest.content)
    }
}
