import RxEngine

/// `withLatestFrom: NODE`: each event with the latest that the node has told; none before it has told one. An object gets it
/// as a member named after the node, of any other value comes `{value, NODE}`. With
/// `withLatestFrom: { from: NODE, map: EXPRESSION }` it is what the expression makes of the event and of `$latest`.
struct WithLatestFromStep: StepKind {
    let other: LocatedText
    let selector: Expression?

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        var fields = Fields(node, in: "withLatestFrom", short: "from", report)
        let other = fields.required("from", .node)
        let selector = fields.optional(
            "map", .expression(of: "withLatestFrom", example: "'{path, load: $latest}'", binding: ["latest"]))
        guard fields.finish(), let other else { return nil }
        return WithLatestFromStep(other: other, selector: selector)
    }

    var nodes: [LocatedText] { [other] }
    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        events.withLatestFrom(surroundings.node(other.text).map(\.remembered)) { event, latest in
            try surroundings.attemptOnce(event) {
                if let selector { return event.with(try selector.first(event, ["latest": latest.value]) ?? .null) }
                var value: JSON = event.value.object == nil ? ["value": event.value] : event.value
                value[other.text] = latest.value
                return event.with(value)
            }
        }
        .compactMap(\.self)
    }
}
