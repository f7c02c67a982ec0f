import RxDiagnostics
import RxEngine
import RxJQ
import RxJSON

/// A source or a pipeline as an observable that all of its subscribers share.
///
/// A reload keeps the node, with its subscription, its replay and the state of its steps, if the configuration's text
/// of it and of all nodes that it takes events from is unchanged.
final class Node: Sendable {
    let name: String
    /// The text of the node in the configuration.
    let content: String
    /// The text of the node in the configuration, without credentials.
    let savedContent: String
    /// The nodes that this node takes events from.
    let inputs: [Node]
    let component: Component
    /// The sources of the node's events, and ``Inputs/failures`` if the node receives failed events of others.
    let origins: Set<String>
    /// The account that the node's live objects are charged to.
    let account: Resources.Account
    /// Whether the source is armed; `nil` for a pipeline.
    let arming: Arming?
    /// Whether the node is a source that reports itself when it is armed.
    let armsLater: Bool
    /// The locations of the node's expressions and templates in the configuration.
    let locationCells: [SourceLocationCell]
    /// The state of the pipeline's steps; `nil` if that is not saved.
    let memory: NodeMemory?
    let activity: NodeActivity
    /// The input of the pipeline's steps, and the nodes that the pipeline takes events from; `nil` for a source.
    let steps: (input: PipelineInput, inputs: InputNodes)?
    /// The cause of the pipeline's completion; `nil` for a source.
    let completion: PipelineCompletion?
    /// The intake of the source's events; `nil` for a pipeline.
    let intake: Intake?
    /// Makes the source emit or poll at once; `nil` for a source without a period and for a pipeline.
    let fires: PublishSubject<Void>?
    /// Whether the source's events are rejected after the graph is closed; otherwise the host stops the source.
    let rejectsWhenClosed: Bool
    /// The actions around the storing of a source that the host keeps data for; `nil` for any other node.
    let stores: StoreActions?
    private let shared: Observable<PipelineEvent>

    /// The actions before and after a snapshot is stored.
    struct StoreActions: Sendable {
        /// See ``SourceKind/prepareToStore(on:isUrgent:)``.
        let prepare: @Sendable (Bool) throws -> Duration?
        /// See ``SourceKind/stored(_:on:)``.
        let done: @Sendable (JSON) -> Void
    }

    init(
        _ name: String, _ content: String, _ secrets: Secrets = Secrets(), inputs: [Node], in component: Component,
        _ account: Resources.Account, arming: Arming? = nil, armsLater: Bool = false,
        locationCells: [SourceLocationCell] = [],
        memory: NodeMemory? = nil, activity: NodeActivity? = nil,
        steps: (input: PipelineInput, inputs: InputNodes)? = nil,
        takesFailures: Bool = false,
        completion: PipelineCompletion? = nil,
        intake: Intake? = nil, fires: PublishSubject<Void>? = nil, rejectsWhenClosed: Bool = false,
        stores: StoreActions? = nil,
        _ shared: Observable<PipelineEvent>
    ) {
        self.name = name
        self.content = content
        savedContent = secrets.redacted(content)
        self.inputs = inputs
        let own = takesFailures ? [InputNodes.failures] : steps == nil ? [name] : []
        origins = inputs.reduce(into: Set(own)) { $0.formUnion($1.origins) }
        self.component = component
        self.account = account
        self.arming = arming
        self.armsLater = armsLater
        self.locationCells = locationCells
        self.memory = memory
        self.activity = activity ?? NodeActivity(on: component.scheduler)
        self.steps = steps
        self.completion = completion
        self.intake = intake
        self.fires = fires
        self.rejectsWhenClosed = rejectsWhenClosed
        self.stores = stores
        self.shared = shared
    }

    /// The scheduler on which the node emits.
    var scheduler: any SchedulerType { component.scheduler }

    /// Returns the node's events, emitted on the scheduler of `other`.
    ///
    /// A subscriber in another component exists only after a reload. Example: pipelines `a` and `b` have different
    /// sources, so each has a component of its own. A reload adds a pipeline that takes events from both. `a` and `b`
    /// keep their components, the new pipeline gets that of one of them, and the events of the other one change the
    /// scheduler here.
    func events(in other: Component) -> Observable<PipelineEvent> {
        if other === component { return shared }
        return shared.subscribe(on: scheduler).observe(on: other.scheduler)
    }

    /// Whether the node has this text and these inputs, so that a reload keeps it.
    func isSame(_ content: String, _ inputs: [Node]) -> Bool {
        self.content.hasSameBytes(as: content) && self.inputs.elementsEqual(inputs) { $0 === $1 }
    }
}

extension InputNodes {
    /// The events of the nodes, combined. An event that is made of several is the latest of them with another value.
    ///
    /// - Parameters:
    ///   - memory: the memory of the pipeline that takes the events.
    ///   - queues: count the events of each node that wait for those of the others.
    ///   - isBranching: whether an event of one source may come from several of the nodes.
    ///   - node: returns the events of a node by its name.
    func events(
        in memory: NodeMemory? = nil, waitingIn queues: [InputQueue], isBranching: Bool = false,
        _ node: (String) -> Observable<PipelineEvent>
    ) -> Observable<PipelineEvent> {
        var events = members.map { node($0.node.text).droppingRestoredReplays(memory) }
        // `amb` needs no branches: it passes the events of one input only, which may be another one after a restart.
        if isBranching, members.count > 1, combination != .amb {
            events = zip(events, memberNames).map { events, name in events.map { $0.on($0.branch.appending(name)) } }
        }
        let names = members.compactMap(\.member)
        let named = zip(events, names).map { events, name in events.map { $0.with([name: $0.content]) } }
        let order = ArrivalOrder(memory)
        switch combination {
        case nil: return events.first ?? .empty()
        case .merge: return .merge(names.isEmpty ? events : named)
        case .concat: return .concat(names.isEmpty ? events : named)
        case .amb: return .amb(names.isEmpty ? events : named)
        case .zip:
            return order.leaving(
                .zip(zip(events, queues).map { order.waiting($0, in: $1) }) { waiting in
                    Self.together(waiting.map { (event: $0.event, order: $0.order) }, names, order)
                })
        case .combineLatest:
            return order.leaving(
                .combineLatest(events.enumerated().map { order.numberedWithLast($1, of: $0) }) {
                    Self.together($0, names, order)
                })
        }
    }

    /// A unique name for each node, which does not depend on the order of different nodes in the configuration.
    private var memberNames: [String] {
        var counts: [String: Int] = [:]
        return members.map { member in
            let name = member.member ?? member.node.text
            defer { counts[name, default: 0] += 1 }
            return counts[name].map { "\(name) \($0)" } ?? name
        }
    }

    /// The branch of an event that is made of `events`, of which `current` is the latest.
    ///
    /// It includes the branches of those of the others that come from the same source event. Example: pipelines `a` and
    /// `b` take events from one source, and `combineLatest` combines them. A source event reaches it through `a` and then
    /// through `b`: the second time, the branch is made of those of both. An event of `a` that is combined with an older
    /// one of `b` has the branch of `a` alone.
    private static func branch(of current: PipelineEvent, _ events: [PipelineEvent]) -> EventBranch {
        guard current.branch != .main else { return .main }
        var branches: [EventBranch] = []
        for event in events where event.branch != .main && event.origin.id == current.origin.id {
            branches.append(event.branch)
        }
        guard branches.count > 1 else { return current.branch }
        return branches.dropFirst().reduce(branches[0]) { $0.appending("\($1.value)") }
    }

    /// The latest of `events`, with the values of all of them.
    private static func together(
        _ events: [(event: PipelineEvent, order: UInt64)], _ names: [String], _ order: ArrivalOrder
    ) -> PipelineEvent {
        let values = events.map(\.event.content)
        let last = events.indices.max { events[$0].order < events[$1].order } ?? 0
        let value = names.isEmpty ? JQValue(values) : JQValue(uniqueKeysWithValues: Array(Swift.zip(names, values)))
        let current = order.current ?? events[last].event
        let together = current.with(value).made(of: events.map(\.event)).on(
            Self.branch(of: current, events.map(\.event)))
        order.emit(together)
        return together
    }
}
