import RxEngine
import RxLinux
import Synchronization

// Unchecked: used on the pipeline's scheduler, except for ``end(_:)`` and for the state that the lock guards.
/// The input of a pipeline. When a reload replaces the pipeline, the input of the old one is cut off, and that of the
/// new one is held until the old steps have finished the events in flight in them.
final class PipelineInput: @unchecked Sendable {
    /// The events in flight in the steps.
    let entries = StepEntryTracker()
    private let pipeline: String
    /// Whether the pipeline has steps.
    let hasSteps: Bool
    /// The observers of the nodes that the pipeline takes events from.
    private let taps: TapRegistry
    private let received = Atomic(0)
    private let replayed = Atomic(0)
    /// Called with an event in flight in the steps before they receive it again after a failure.
    private let onReenter: @Sendable (PipelineEvent) -> Void
    private var phase = Phase.open
    private let lock = Lock()
    // Below: guarded by the lock.
    /// The notifications that arrived while this was held.
    private var held: Queue<WaitingEvent> = []
    /// The events that were in flight in the old steps. They precede the held ones.
    private var redelivered: [StepEntry] = []
    /// The events that were in flight when the old steps failed during a replacement.
    private var abandoned: [Int: StepEntry] = [:]
    private var onStart: (@Sendable () -> Void)?
    /// The receiver of redelivered events: the running steps.
    private var receiver: (owner: ObjectIdentifier, receive: @Sendable (PipelineEvent) -> Void)?

    /// - Parameters:
    ///   - pipeline: the name of the pipeline.
    ///   - taps: the observers of the nodes that it takes events from.
    ///   - hasSteps: whether the pipeline has steps.
    ///   - onReenter: called with an event in flight in the steps before they receive it again after a failure.
    init(
        of pipeline: String = "", _ taps: TapRegistry = TapRegistry(), hasSteps: Bool = true,
        onReenter: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        (self.pipeline, self.taps) = (pipeline, taps)
        self.hasSteps = hasSteps
        self.onReenter = onReenter
    }

    /// Whether the input passes, holds or drops events.
    private enum Phase {
        case open
        /// Events are held, except those of these nodes.
        case held(except: Set<ObjectIdentifier>)
        /// Events are dropped, except those of these nodes.
        case cut(except: Set<ObjectIdentifier>)
    }

    /// An event that waits for the input to open.
    private struct WaitingEvent {
        /// The id of the event if it is replayed.
        let replayed: String?
        let deliver: () -> Void
    }

    /// Passes the events of a node through this input. Observers of the node are notified of the subscription.
    ///
    /// - Parameters:
    ///   - events: the events.
    ///   - node: the node; `nil` for failed events, which are never cut off, since each pipeline has its own.
    func passing(_ events: Observable<PipelineEvent>, from node: Node?) -> Observable<PipelineEvent> {
        let (id, name) = (node.map { ObjectIdentifier($0) }, node?.name)
        return events.lift { [pipeline, taps] in
            InputSink(to: $0, self, from: id, name.map { ObservedSubscription(of: pipeline, to: $0, taps) })
        }
    }

    /// The number of events that the steps have received so far; `nil` without steps.
    var receivedBySteps: Int? { hasSteps ? received.load(ordering: .relaxed) : nil }
    /// How many of ``receivedBySteps`` were replayed, because they are older than the pipeline.
    var replayedToSteps: Int { replayed.load(ordering: .relaxed) }

    /// Whether events pass at once.
    fileprivate var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Delivers, holds or drops a notification.
    fileprivate func pass(from node: ObjectIdentifier?, replayed: String?, _ deliver: @escaping () -> Void) {
        switch phase {
        case .held(let others) where !contains(node, in: others):
            lock.locked { held.append(WaitingEvent(replayed: replayed, deliver: deliver)) }
        case .cut(let others) where node != nil && !contains(node, in: others): break
        case .open, .held, .cut: deliver()
        }
    }

    private func contains(_ node: ObjectIdentifier?, in others: Set<ObjectIdentifier>) -> Bool {
        node.map { others.contains($0) } ?? false
    }

    /// Holds events from now on, except those of nodes whose inputs are held themselves.
    func hold(except nodes: Set<ObjectIdentifier>) { phase = .held(except: nodes) }

    /// Drops events from now on, except those of nodes whose inputs are cut off themselves.
    func cut(except nodes: Set<ObjectIdentifier>) { phase = .cut(except: nodes) }

    /// Whether the pipeline is being replaced.
    var isCut: Bool { if case .cut = phase { true } else { false } }

    /// Keeps the events that were in flight when the steps failed while the pipeline is being replaced.
    ///
    /// - Parameter events: the events.
    func abandon(_ events: [PipelineEvent]) {
        let left = entries.numbered(events)
        lock.locked { abandoned = left }
    }

    /// The events in flight in the steps, and those that were in flight when they failed.
    var left: [StepEntry] {
        StepEntryTracker.ordered(entries.numbered.merging(lock.locked { abandoned }) { $1 })
    }

    /// Calls `body` when the steps may start: at once unless this is held.
    func whenStarted(_ body: @escaping @Sendable () -> Void) {
        if case .held = phase { lock.locked { onStart = body } } else { body() }
    }

    /// Starts the steps after the old ones have finished. ``open()`` follows when all new steps have started.
    func start() { lock.locked { onStart.take() }?() }

    /// Delivers leading replayed events, then the redelivered events, then the other held events. A replayed event that
    /// is redelivered, too, is dropped: it comes as a new one.
    func open() {
        let redelivered = lock.locked {
            defer { self.redelivered = [] }
            return self.redelivered
        }
        let ids = Set(redelivered.map(\.event.origin.id))
        deliverHeld(unless: ids) { $0.replayed != nil }
        for entry in redelivered { receive(entry) }
        deliverHeld(unless: ids) { _ in true }
        phase = .open
    }

    private func deliverHeld(unless redelivered: Set<String>, while isDue: (WaitingEvent) -> Bool) {
        while let next = lock.locked({ held.first.map(isDue) == true ? held.popFirst() : nil }) {
            if next.replayed.map({ redelivered.contains($0) }) != true { next.deliver() }
        }
    }

    /// Enters an event into the steps.
    func enter(_ event: PipelineEvent) -> PipelineEvent {
        guard hasSteps else { return event }
        received.add(1, ordering: .relaxed)
        if event.isReplayed { replayed.add(1, ordering: .relaxed) }
        return entries.enter(event)
    }

    /// Enters an event again that was in flight when the steps failed.
    func enterAgain(_ event: PipelineEvent) -> PipelineEvent {
        onReenter(event)
        return entries.enterAgain(event)
    }

    // MARK: - Redelivery

    /// Sets the receiver of redelivered events.
    func setReceiver(_ owner: AnyObject, _ receive: @escaping @Sendable (PipelineEvent) -> Void) {
        lock.locked { receiver = (ObjectIdentifier(owner), receive) }
    }

    /// Removes the receiver and drops the held events. Called on any thread.
    func end(_ owner: AnyObject) {
        // Released outside the lock.
        let dropped = lock.locked { () -> (Queue<WaitingEvent>, [StepEntry], [Int: StepEntry])? in
            guard receiver?.owner == ObjectIdentifier(owner) else { return nil }
            defer {
                (receiver, onStart) = (nil, nil)
                (held, redelivered, abandoned) = ([], [], [:])
            }
            return (held, redelivered, abandoned)
        }
        withExtendedLifetime(dropped) {}
    }

    /// Redelivers an event that was in flight in the steps of a replaced pipeline.
    func redeliver(_ entry: StepEntry) {
        if case .held = phase { lock.locked { redelivered.append(entry) } } else { receive(entry) }
    }

    private func receive(_ entry: StepEntry) {
        lock.locked { receiver }?.receive(entries.enterAgain(entry))
    }
}

/// Passes the notifications of one node through a ``PipelineInput``.
private final class InputSink: OperatorSink<PipelineEvent, PipelineEvent> {
    private let input: PipelineInput
    private let node: ObjectIdentifier?
    private let observed: ObservedSubscription?

    init(
        to downstream: Sink<PipelineEvent>, _ input: PipelineInput, from node: ObjectIdentifier?,
        _ observed: ObservedSubscription?
    ) {
        self.input = input
        self.node = node
        self.observed = observed
        super.init(to: downstream)
    }

    override func next(_ event: PipelineEvent) {
        if input.isOpen { return Self.deliver(event, to: downstream, observed) }
        pass(replayed: event.isReplayed ? event.origin.id : nil) { [observed] in Self.deliver(event, to: $0, observed) }
    }

    private static func deliver(
        _ event: PipelineEvent, to downstream: Sink<PipelineEvent>, _ observed: ObservedSubscription?
    ) {
        if event.isReplayed { observed?.replays(event.origin) }
        downstream.next(event)
    }

    override func error(_ error: any Error) {
        pass { $0.error(error) }
    }

    override func completed() {
        pass { $0.completed() }
    }

    private func pass(replayed: String? = nil, _ deliver: @escaping (Sink<PipelineEvent>) -> Void) {
        input.pass(from: node, replayed: replayed) { [downstream] in
            if downstream.live.isActive { deliver(downstream) }
        }
    }
}

/// Notifies the observers of a node of one subscription of a pipeline, until it is released with its chain.
private final class ObservedSubscription {
    private let pipeline: String
    private let node: String
    private let taps: TapRegistry

    init(of pipeline: String, to node: String, _ taps: TapRegistry) {
        (self.pipeline, self.node, self.taps) = (pipeline, node, taps)
        taps.observe(node, .subscription(by: pipeline, .subscribed))
    }

    func replays(_ event: SourceEvent) { taps.observe(node, .subscription(by: pipeline, .replayed(event))) }

    deinit { taps.observe(node, .subscription(by: pipeline, .unsubscribed)) }
}
