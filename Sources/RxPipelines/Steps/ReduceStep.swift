import RxEngine
import RxYAML

/// `reduce: { seed: 0, next: "$state + .size" }`: as `scan`, told once, when the source has come to its end.
struct ReduceStep: StepKind {
    let scan: ScanStep

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = Fields(node, in: "reduce", context)
        let seed = fields.optional("seed", .value) ?? .null
        let next = fields.required(
            "next", .expression(of: "reduce", example: "'$state + 1'", binding: ["state", "value"]))
        guard fields.finish(), let next else { return nil }
        return ReduceStep(scan: ScanStep(seed: seed, next: next))
    }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        .deferred {
            scan.apply(to: events, in: surroundings).takeLast(1)
                .ifEmpty(default: surroundings.event(scan.seed))
        }
    }
}
