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
    /// Of a source, whether what it tells after a stop is left out; otherwise the host tells it to stop.
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
        memory: NodeMemory? = nil, steps: (input: PipelineInput, inputs: Inputs)? = nil, intake: Intake? = nil,
        takesNoMoreWhenClosed: Bool = false, stores: Storing? = nil,
        _ shared: Observable<PipelineEvent>
    ) {
        self.name = name
        self.content = content
        savedContent = secrets.redacted(content)
        self.inputs = inputs
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

    /// What its events are told on.
    var scheduler: any SchedulerType { component.scheduler }

    /// Its events, told in a component. That is its own but for two that a new config has made one: each stays what it was,
    /// and what comes from the other changes over.
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
    /// The events of the nodes, put together. Where several make one, it is the one of them that came last, with another
    /// value.
    ///
    /// - Parameter memory: the memory of the pipeline that starts from them.
    func events(
        in memory: NodeMemory? = nil, _ node: (String) -> Observable<PipelineEvent>
    ) -> Observable<PipelineEvent> {
        let events = members.map { node($0.node.text).withoutRestored(memory) }
        let names = members.compactMap(\.member)
        let named = zip(events, names).map { events, name in events.map { $0.with([name: $0.value]) } }
        let turns = Turns(memory)
        switch combination {
        case nil: return events.first ?? .empty()
        case .merge: return .merge(names.isEmpty ? events : named)
        case .concat: return .concat(names.isEmpty ? events : named)
        case .amb: return .amb(names.isEmpty ? events : named)
        case .zip: return turns.leaving(.zip(events.map { turns.numbered($0) }) { Self.together($0, names, turns) })
        case .combineLatest:
            return turns.leaving(
                .combineLatest(events.enumerated().map { turns.kept($1, as: $0) }) { Self.together($0, names, turns) })
        }
    }

    private static func together(
        _ events: [(event: PipelineEvent, turn: UInt64)], _ names: [String], _ turns: Turns
    ) -> PipelineEvent {
        let values = events.map(\.event.value)
        let last = events.indices.max { events[$0].turn < events[$1].turn } ?? 0
        let value: JSON =
            names.isEmpty
            ? .array(values) : .object(JSON.Object(uniqueKeysWithValues: Array(Swift.zip(names, values))))
        turns.emit(JQValue(value))
        return (turns.current ?? events[last].event).with(value).made(of: events.map(\.event))
    }
}
