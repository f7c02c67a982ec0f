import RxEngine

/// `scan: { seed: 0, next: "$state + 1" }`: each event becomes what `next` makes of it and of what became of the one before:
/// `$state`, at first the seed. `$value` is the event itself.
struct ScanStep: StepKind {
    let seed: JSON
    let next: Expression

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        var fields = Fields(node, in: "scan", report)
        let seed = fields.optional("seed", .value) ?? .null
        let next = fields.required(
            "next", .expression(of: "scan", example: "'$state + 1'", binding: ["state", "value"]))
        guard fields.finish(), let next else { return nil }
        return ScanStep(seed: seed, next: next)
    }

    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        events
            .scan((state: seed, event: PipelineEvent?.none)) { last, event in
                let state = try next.first(event, ["state": last.state, "value": event.value]) ?? .null
                var mapped = event
                mapped.value = state
                return (state, mapped)
            }
            .compactMap(\.event)
    }
}
