import RxEngine
import RxYAML

/// `reduce: { seed: 0, next: "$state + .size" }`: as `scan`, emitted once, when the source completes.
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

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let (events, isEmpty) = context.noting(events)
            let results = scan.apply(to: events, in: context)
            return (context.memory == nil ? results.joiningBranches : results).takeLast(1)
                .ifEmpty(switchTo: .deferred { isEmpty() ? .just(context.event(scan.seed)) : .empty() })
        }
    }
}

extension Observable where Element == PipelineEvent {
    /// These events, each in the branch of all up to it: in a window, the next process may have others before it.
    fileprivate var joiningBranches: Observable {
        .deferred {
            let joined = Locked(JoinedBranch())
            return self.map { event in
                event.on(
                    joined.withLock { joined in
                        joined.add(event)
                        return joined.branch
                    })
            }
        }
    }
}
