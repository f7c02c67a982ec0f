import RxDiagnostics
import RxEngine
import RxJQ
import RxJSON

/// A source or a pipeline as an observable that all who start from it share.
///
/// Where a config is read again and says the same of it, and of all that it takes events from, the node stays: with its
/// subscription, its replay and all that its steps remember.
final class Node: Sendable {
    let name: String
    /// What the config says of it.
    let content: String
    /// The same without credentials.
    let savedContent: String
    /// The nodes that it takes events from.
    let inputs: [Node]
    let component: Component
    /// The sources that its events come from, and ``failures`` if others' failed events may be among them.
    let origins: Set<String>
    /// What its live objects are charged to.
    let account: Resources.Account
    /// Of a source: whether it is armed.
    let arming: Arming?
    /// Whether it is a source that says itself when it is armed.
    let armsLater: Bool
    /// Where what runs of it stands in the config.
    let places: [SourceLocationCell]
    /// What its steps remember; `nil` if that is not saved.
    let memory: NodeMemory?
    /// Of a pipeline, where events enter its steps, and what it takes them from.
    let steps: (input: PipelineInput, inputs: Inputs)?
    /// Of a source, where its events come in.
    let intake: Intake?
    /// Of a source, whether what it emits after a stop is left out; otherwise the host stops it.
    let takesNoMoreWhenClosed: Bool
    /// Of a source that the host keeps something for.
    let stores: Storing?
    private let shared: Observable<PipelineEvent>

    /// What is to be done before a snapshot is stored, and with its position after.
    struct Storing: Sendable {
        /// See ``SourceKind/prepareToStore(on:isUrgent:)``.
        let prepare: @Sendable (Bool) throws -> Duration?
        let done: @Sendable (JSON) -> Void
    }

    init(
        _ name: String, _ content: String, _ secrets: Secrets = Secrets(), inputs: [Node], in component: Component,
        _ account: Resources.Account, arming: Arming? = nil, armsLater: Bool = false, places: [SourceLocationCell] = [],
        memory: NodeMemory? = nil, steps: (input: PipelineInput, inputs: Inputs)? = nil, takesFailures: Bool = false,
        intake: Intake? = nil, takesNoMoreWhenClosed: Bool = false, stores: Storing? = nil,
        _ shared: Observable<PipelineEvent>
    ) {
        self.name = name
        self.content = content
        savedContent = secrets.redacted(content)
        self.inputs = inputs
        let own = takesFailures ? [Inputs.failures] : steps == nil ? [name] : []
        origins = inputs.reduce(into: Set(own)) { $0.formUnion($1.origins) }
        self.component = component
        self.account = account
        self.arming = arming
        self.armsLater = armsLater
        self.places = places
        self.memory = memory
        self.steps = steps
        self.intake = intake
        self.takesNoMoreWhenClosed = takesNoMoreWhenClosed
        self.stores = stores
        self.shared = shared
    }

    /// The scheduler that its events are emitted on.
    var scheduler: any SchedulerType { component.scheduler }

    /// Its events, emitted in a component. That is its own but for two that a new config has made one: each stays what
    /// it was, and what comes from the other changes over.
    func events(in other: Component) -> Observable<PipelineEvent> {
        if other === component { return shared }
        return shared.subscribe(on: scheduler).observe(on: other.scheduler)
    }

    /// Whether what the config says now makes the same node.
    func isSame(_ content: String, _ inputs: [Node]) -> Bool {
        self.content == content && self.inputs.elementsEqual(inputs) { $0 === $1 }
    }
}

extension Inputs {
    /// The events of the nodes, put together. Where several make one, it is the one of them that came last, with
    /// another value.
    ///
    /// - Parameters:
    ///   - memory: the memory of the pipeline that starts from them.
    ///   - isBranching: whether an event of one source may come from several.
    func events(
        in memory: NodeMemory? = nil, isBranching: Bool = false, _ node: (String) -> Observable<PipelineEvent>
    ) -> Observable<PipelineEvent> {
        var events = members.map { node($0.node.text).withoutRestored(memory) }
        // Of `amb` only one input leads to anything, another one perhaps after a restart.
        if isBranching, members.count > 1, combination != .amb {
            events = zip(events, memberNames).map { events, name in events.map { $0.on($0.branch.going(name)) } }
        }
        let names = members.compactMap(\.member)
        let named = zip(events, names).map { events, name in events.map { $0.with([name: $0.content]) } }
        let order = ArrivalOrder(memory)
        switch combination {
        case nil: return events.first ?? .empty()
        case .merge: return .merge(names.isEmpty ? events : named)
        case .concat: return .concat(names.isEmpty ? events : named)
        case .amb: return .amb(names.isEmpty ? events : named)
        case .zip: return order.leaving(.zip(events.map { order.numbered($0) }) { Self.together($0, names, order) })
        case .combineLatest:
            return order.leaving(
                .combineLatest(events.enumerated().map { order.kept($1, as: $0) }) { Self.together($0, names, order) })
        }
    }

    /// A name for each node, in whatever order the config has them.
    private var memberNames: [String] {
        var counts: [String: Int] = [:]
        return members.map { member in
            let name = member.member ?? member.node.text
            defer { counts[name, default: 0] += 1 }
            return counts[name].map { "\(name) \($0)" } ?? name
        }
    }

    /// The branch of what is made of several events, all but the current one remembered. What the same source event has
    /// led to by then is part of it.
    private static func branch(of current: PipelineEvent, _ events: [PipelineEvent]) -> EventBranch {
        guard current.branch != .main else { return .main }
        var branches: [EventBranch] = []
        for event in events where event.branch != .main && event.origin.id == current.origin.id {
            branches.append(event.branch)
        }
        guard branches.count > 1 else { return current.branch }
        return branches.dropFirst().reduce(branches[0]) { $0.going("\($1.value)") }
    }

    private static func together(
        _ events: [(event: PipelineEvent, turn: UInt64)], _ names: [String], _ order: ArrivalOrder
    ) -> PipelineEvent {
        let values = events.map(\.event.content)
        let last = events.indices.max { events[$0].turn < events[$1].turn } ?? 0
        let value = names.isEmpty ? JQValue(values) : JQValue(uniqueKeysWithValues: Array(Swift.zip(names, values)))
        let current = order.current ?? events[last].event
        let together = current.with(value).made(of: events.map(\.event)).on(
            Self.branch(of: current, events.map(\.event)))
        order.emit(together)
        return together
    }
}
