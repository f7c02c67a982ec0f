import RxEngine
import RxJQ
import RxJSON
import RxYAML

/// `scan: { seed: 0, next: "$state + 1" }`: each event becomes what `next` makes of it and of what became of the one
/// before: `$state`, at first the seed. `$value` is the event itself.
struct ScanStep: StepKind {
    let seed: JSON
    let next: Expression

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = Fields(node, in: "scan", context)
        let seed = fields.optional("seed", .value) ?? .null
        let next = fields.required(
            "next", .expression(of: "scan", example: "'$state + 1'", binding: ["state", "value"]))
        guard fields.finish(), let next else { return nil }
        return ScanStep(seed: seed, next: next)
    }

    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let state = context.cell(JQValue(seed), .value)
            return events.compactMap(countedAs: .scan) { event in
                try context.attemptOnce(event) {
                    let next =
                        try next.first(
                            event, ["state": state.value, "value": event.content], in: context) ?? .null
                    state.value = next
                    return event.with(next)
                }
            }
        }
    }
}
