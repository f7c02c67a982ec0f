import RxDiagnostics
import RxEngine
import RxJQ
import RxYAML

/// `withLatestFrom: NODE`: each event with the latest that the node has emitted; none before it has emitted one. An
/// object gets it as a member named after the node, of any other value comes `{value, NODE}`. With
/// `withLatestFrom: { from: NODE, map: EXPRESSION }` it is what the expression makes of the event and of `$latest`.
struct WithLatestFromStep: StepKind {
    let other: LocatedText
    let selector: Expression?

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = Fields(node, in: "withLatestFrom", short: "from", context)
        let other = fields.required("from", .node)
        let selector = fields.optional(
            "map", .expression(of: "withLatestFrom", example: "'{path, load: $latest}'", binding: ["latest"]))
        guard fields.finish(), let other else { return nil }
        return WithLatestFromStep(other: other, selector: selector)
    }

    var nodes: [LocatedText] { [other] }
    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let bypass = Bypass(context.memory, path: context.path)
            let around = context.inside("latest")
            let latest = context.node(other.text).withoutRestored(around.memory).filter { around.isNew($0) }.map(
                \.remembered
            )
            .keepingLast(in: around.cell(nil, .event))
            let combined = bypass.takingTurns(events).withLatestFrom(latest) { event, latest -> PipelineEvent? in
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
