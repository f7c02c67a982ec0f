import RxEngine
import RxJQ
import RxJSON
import RxLinux
import RxYAML

/// `scan: { seed: 0, next: "$state + 1" }`: replaces each value by the result of `next`, which has the previous result,
/// at first the seed, as `$state` and the value as `$value`.
struct ScanStep: StepKind {
    let seed: JSON
    let next: Expression

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = FieldReader(node, in: "scan", context)
        let seed = fields.optional("seed", .value, "The first value of $state; default: null") ?? .null
        let next = fields.required(
            "next", .expression(of: "scan", example: "'$state + 1'", binding: ["state", "value"]),
            "The value to emit, made of $state and the event")
        guard fields.finish(example: { _ in "{ seed: 0, next: $state + 1 }" }), let next else { return nil }
        return ScanStep(seed: seed, next: next)
    }

    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let state = context.cell(JQValue(seed), .value)
            let reservation = context.quota.reservation(holding: state.value.measuredMemory)
            return events.compactMap(countedAs: .scan) { event in
                try context.attemptOnce(event) {
                    let new =
                        try next.first(
                            event, ["state": state.value, "value": event.content], in: context) ?? .null
                    do throws(MemoryQuota.ExceededError) {
                        try reservation.set(new.measuredMemory)
                    } catch {
                        throw next.failure(error.message(), on: event)
                    }
                    state.value = new
                    return event.with(new)
                }
            }
        }
    }
}
