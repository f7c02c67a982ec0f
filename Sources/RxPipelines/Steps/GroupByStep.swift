import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxYAML

/// `groupBy: { key: .path, steps: [debounce: 1s] }`: passes the events of each key through steps of their own. A group
/// lives as long as the pipeline.
struct GroupByStep: StepKind {
    let key: Expression
    let steps: [any StepKind]

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = FieldReader(node, in: "groupBy", context)
        let key = fields.required(
            "key", .expression(of: "groupBy", example: "'.path'"), "The key of the group that an event belongs to")
        let steps = fields.required("steps", .list(of: Registry.steps.type), "The steps that each group passes")
        guard fields.finish(example: { _ in "{ key: .path, steps: [debounce: 10s] }" }), let key, let steps else {
            return nil
        }
        return GroupByStep(key: key, steps: steps.map(\.kind))
    }

    var nodes: [LocatedText] { steps.flatMap(\.nodes) }

    var startsSources: Bool { steps.contains(where: \.startsSources) }
    var isSteady: Bool { false }
    var subscriptions: Int { 2 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let (known, reservation) = (Locked<Set<JSON>>([]), context.quota.reservation())
            return events.keyed(by: key, in: context) { key, event in
                try remember(key, in: known, reservation, event, context.host.memory)
            }
            .groupBy { $0.key }
            .flatMap { group in
                steps.apply(to: group.map(\.event), in: context.inside(group.key.asciiText))
                    .charged(to: context.account)
            }
        }
    }

    /// Counts the memory of a new group, whose steps may remember an event; throws if it exceeds the limit.
    private func remember(
        _ key: JSON, in known: Locked<Set<JSON>>, _ reservation: MemoryQuota.Reservation, _ event: PipelineEvent,
        _ budget: MemoryBudget
    ) throws {
        guard known.withLock({ $0.insert(key).inserted }) else { return }
        func failure(_ message: String) -> StepError {
            known.withLock { _ = $0.remove(key) }
            return self.key.failure("there is no memory for another group: \(message)", on: event)
        }
        if !budget.allows(made: .max) { throw failure(budget.shortage) }
        do throws(MemoryQuota.ExceededError) {
            let steps = Self.memoryOfGroup + steps.count * Self.memoryOfStep
            try reservation.add(key.memory + event.value.memory + steps)
        } catch {
            throw failure(error.message())
        }
    }

    /// The memory of a group without its steps, and that of each step, in bytes.
    private static let (memoryOfGroup, memoryOfStep) = (2048, 1024)
}
