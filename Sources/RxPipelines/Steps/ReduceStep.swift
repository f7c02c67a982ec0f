import RxEngine
import RxYAML

/// `reduce: { seed: 0, next: "$state + .size" }`: like `scan`, but emits only the last result, on completion.
struct ReduceStep: StepKind {
    let scan: ScanStep

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = FieldReader(node, in: "reduce", context)
        let seed = fields.optional("seed", .value, "The first value of $state; default: null") ?? .null
        let next = fields.required(
            "next", .expression(of: "reduce", example: "'$state + 1'", binding: ["state", "value"]),
            "The next value, made of $state and the event")
        guard fields.finish(example: { _ in "{ seed: 0, next: $state + 1 }" }), let next else { return nil }
        return ReduceStep(scan: ScanStep(seed: seed, next: next))
    }

    var subscriptions: Int { 2 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let (events, isEmpty) = context.detectingEmpty(events)
            let results = scan.apply(to: events, in: context)
            return (context.memory == nil ? results.joiningBranches : results).takeLast(1)
                .ifEmpty(switchTo: .deferred { isEmpty() ? .just(context.event(scan.seed)) : .empty() })
        }
    }
}

extension Observable where Element == PipelineEvent {
    /// Sets the branch of each event to that of all events up to it, since the windows of the next process may group
    /// the events differently.
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
