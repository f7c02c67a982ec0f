import RxEngine

// Unchecked: used on the pipeline's scheduler, except for ``end(_:)``, and for what the lock guards.
/// Where events enter a pipeline. When a reload replaces the pipeline, the old one's input is cut off, and the new
/// one's held until the old steps have finished what is in flight there.
final class PipelineInput: @unchecked Sendable {
    /// What is in flight in the steps.
    let entries = StepEntries()
    /// Whether the pipeline has steps.
    let hasSteps: Bool
    /// Called with an event in flight in the steps that they are given again.
    private let again: @Sendable (PipelineEvent) -> Void
    private var phase = Phase.open
    private let lock = Lock()
    // Below: guarded by the lock.
    /// What arrived while this was held.
    private var held: [Held] = []
    /// Events in flight in the old steps, which precede what is held.
    private var redelivered: [StepEntry] = []
    /// Events that were in flight when the old steps failed.
    private var abandoned: [Int: StepEntry] = [:]
    private var onStart: (@Sendable () -> Void)?
    /// What receives redelivered events: the running steps.
    private var receiver: (owner: ObjectIdentifier, receive: @Sendable (PipelineEvent) -> Void)?

    /// - Parameters:
    ///   - hasSteps: whether the pipeline has steps.
    ///   - again: called with an event in flight in the steps that these are given again, since they have failed.
    init(hasSteps: Bool = true, again: @escaping @Sendable (PipelineEvent) -> Void = { _ in }) {
        self.hasSteps = hasSteps
        self.again = again
    }

    private enum Phase {
        case open
        /// Events of other nodes than these wait.
        case held(except: Set<ObjectIdentifier>)
        /// Events of other nodes than these are dropped.
        case cut(except: Set<ObjectIdentifier>)
    }

    private struct Held {
        /// The id of a replayed event.
        let replayed: String?
        let deliver: () -> Void
    }

    /// The events of a node on their way to the pipeline.
    ///
    /// - Parameter node: the node; `nil` for failed events, which are never cut off: each pipeline has its own.
    func passing(_ events: Observable<PipelineEvent>, from node: Node?) -> Observable<PipelineEvent> {
        let node = node.map { ObjectIdentifier($0) }
        return events.lift { InputSink(to: $0, self, from: node) }
    }

    /// Whether what a node emits is passed on at once.
    fileprivate var isOpen: Bool { if case .open = phase { true } else { false } }

    fileprivate func pass(from node: ObjectIdentifier?, replayed: String?, _ deliver: @escaping () -> Void) {
        switch phase {
        case .held(let others) where !contains(node, in: others):
            lock.locked { held.append(Held(replayed: replayed, deliver: deliver)) }
        case .cut(let others) where node != nil && !contains(node, in: others): break
        case .open, .held, .cut: deliver()
        }
    }

    private func contains(_ node: ObjectIdentifier?, in others: Set<ObjectIdentifier>) -> Bool {
        node.map { others.contains($0) } ?? false
    }

    /// Holds what comes from now on, except from nodes that are held themselves.
    func hold(except nodes: Set<ObjectIdentifier>) { phase = .held(except: nodes) }

    /// Drops what comes from now on, except from nodes that are cut off themselves.
    func cut(except nodes: Set<ObjectIdentifier>) { phase = .cut(except: nodes) }

    /// Whether the pipeline is being replaced.
    var isCut: Bool { if case .cut = phase { true } else { false } }

    /// The steps have failed while the pipeline is being replaced.
    ///
    /// - Parameter events: what was in flight in them.
    func abandon(_ events: [PipelineEvent]) {
        let left = entries.numbered(events)
        lock.locked { abandoned = left }
    }

    /// What is in flight in the steps, or was when they failed.
    var left: [StepEntry] {
        StepEntries.ordered(entries.numbered.merging(lock.locked { abandoned }) { $1 })
    }

    /// Calls `body` when the steps may start: at once, unless this is held.
    func whenStarted(_ body: @escaping @Sendable () -> Void) {
        if case .held = phase { lock.locked { onStart = body } } else { body() }
    }

    /// The old steps have finished. Followed by ``open()``, when all of the new ones have started.
    func start() { lock.locked { onStart.take() }?() }

    /// Delivers what was held, behind what is redelivered: as news, which is not replayed, too.
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

    private func deliverHeld(unless redelivered: Set<String>, while isDue: (Held) -> Bool) {
        while let next = lock.locked({ held.first.map(isDue) == true ? held.removeFirst() : nil }) {
            if next.replayed.map({ redelivered.contains($0) }) != true { next.deliver() }
        }
    }

    /// The event for the steps.
    func enter(_ event: PipelineEvent) -> PipelineEvent { hasSteps ? entries.enter(event) : event }

    /// An event in flight in the steps for those that have started again.
    func enterAgain(_ event: PipelineEvent) -> PipelineEvent {
        again(event)
        return entries.enterAgain(event)
    }

    // MARK: - Redelivery

    /// Sets what receives redelivered events.
    func setReceiver(_ owner: AnyObject, _ receive: @escaping @Sendable (PipelineEvent) -> Void) {
        lock.locked { receiver = (ObjectIdentifier(owner), receive) }
    }

    /// The receiver has ended. What is held is dropped. Called on any thread.
    func end(_ owner: AnyObject) {
        // Released outside the lock.
        let dropped = lock.locked { () -> ([Held], [StepEntry], [Int: StepEntry])? in
            guard receiver?.owner == ObjectIdentifier(owner) else { return nil }
            defer {
                (receiver, onStart) = (nil, nil)
                (held, redelivered, abandoned) = ([], [], [:])
            }
            return (held, redelivered, abandoned)
        }
        withExtendedLifetime(dropped) {}
    }

    /// Delivers an event that was in flight in other steps, or the old ones.
    func redeliver(_ entry: StepEntry) {
        if case .held = phase { lock.locked { redelivered.append(entry) } } else { receive(entry) }
    }

    private func receive(_ entry: StepEntry) {
        lock.locked { receiver }?.receive(entries.enterAgain(entry))
    }
}

private final class InputSink: OperatorSink<PipelineEvent, PipelineEvent> {
    private let input: PipelineInput
    private let node: ObjectIdentifier?

    init(to downstream: Sink<PipelineEvent>, _ input: PipelineInput, from node: ObjectIdentifier?) {
        self.input = input
        self.node = node
        super.init(to: downstream)
    }

    override func next(_ event: PipelineEvent) {
        if input.isOpen { return downstream.next(event) }
        pass(replayed: event.isReplayed ? event.origin.id : nil) { $0.next(event) }
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
