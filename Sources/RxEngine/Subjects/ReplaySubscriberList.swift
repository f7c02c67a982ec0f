/// A subscriber list with a replay buffer.
///
/// A new subscriber first receives a snapshot of the buffer, outside the lock. Events that arrive meanwhile, on another
/// thread or because the subscriber itself emits, are added to its backlog. It receives the backlog next, again and
/// again until that is empty under the lock, and then joins the other subscribers: so it receives each event once and
/// in order.
// Unchecked: as its superclass.
@usableFromInline
final class ReplaySubscriberList<Element>: SubscriberList, @unchecked Sendable {
    private let replayPolicy: ReplayPolicy
    @exclusivity(unchecked) private var buffer: ReplayBuffer<Element>
    /// The sinks that have not caught up yet.
    @exclusivity(unchecked) private var replaying = SinkList()
    /// A ``Backlog`` for each of these sinks that has missed events.
    @exclusivity(unchecked) private var backlogs: [SinkList.Key: AnyObject] = [:]

    /// The events that arrived while a new subscriber was catching up, oldest first.
    ///
    /// It is an object, and has methods of its own, so that a subscription that misses no event need not look up the
    /// type of the events, which would cost more than the rest of the subscription.
    private final class Backlog {
        var events: [Event<Element>] = []

        init() {}

        @inline(never)
        func deliver(to sink: Sink<Element>) {
            for event in events where sink.live.isActive { sink.on(event) }
        }
    }

    /// When new subscribers receive the buffered elements.
    private enum ReplayPolicy {
        case always
        case beforeEnd
        /// No subscriber receives an element before the sequence completes.
        case afterEnd
    }

    /// Creates the list of a subject that replays the last `capacity` elements.
    @usableFromInline
    init(capacity: Int) {
        buffer = ReplayBuffer(capacity: capacity)
        replayPolicy = .always
    }

    /// Creates the list of a subject that emits its last element when it completes.
    override init() {
        buffer = ReplayBuffer(capacity: 1)
        replayPolicy = .afterEnd
        super.init()
    }

    /// Creates the list of a subject that has a value until it ends.
    init(value: Element) {
        buffer = ReplayBuffer(capacity: 1)
        replayPolicy = .beforeEnd
        super.init()
        var value = value
        buffer.exchange(&value)
    }

    deinit {
        buffer.destroy()
    }

    override var hasSubscribers: Bool { super.hasSubscribers || lock.locked { !replaying.isEmpty } }

    /// Returns the last element of a subject that has a value.
    ///
    /// - Parameter subject: the object that ``RxError/disposed(object:)`` names.
    /// - Returns: the element.
    /// - Throws: the error that ended the sequence, or ``RxError/disposed(object:)``.
    func value(of subject: any AnyObject & Sendable) throws -> Element {
        try lock.locked {
            switch phase {
            case .open, .terminated(.completed): return buffer.newest
            case .terminated(.error(let error)): throw error
            case .disposed: throw RxError.disposed(object: subject)
            }
        }
    }

    /// The last element of a relay, which always has one.
    var value: Element { lock.locked { buffer.newest } }

    /// Stores an element in the buffer and delivers it to all subscribers; an `AsyncSubject` delivers only when it
    /// completes.
    ///
    /// - Parameters:
    ///   - element: the element.
    ///   - run: the run that the element comes from, if any. If it is over, the element is dropped.
    func storeAndDeliver(_ element: Element, from run: LiveSubscription? = nil) {
        var evicted = element
        let receiver = lock.locked { () -> PinnedReceiver? in
            guard isOpen, run?.isActive != false else { return nil }
            buffer.exchange(&evicted)
            if !replaying.isEmpty { enqueue(next: element) }
            return replayPolicy == .afterEnd ? nil : pinReceiver(of: Element.self)
        }
        guard let receiver else { return noteDropped(element) }
        deliver(element, to: receiver)
    }

    /// Adds a sink and replays the buffer to it. If the list is closed, also delivers the terminal event.
    ///
    /// - Parameters:
    ///   - sink: receives the buffered elements, and the events from now on.
    ///   - subject: the object that ``RxError/disposed(object:)`` names.
    /// - Returns: the key for ``remove(_:)``; `nil` if the list is closed or the sink's run is over by then.
    func addReplaying(_ sink: Sink<Element>, to subject: any AnyObject & Sendable) -> SinkList.Key? {
        if DiagnosticSwitches.isOn(DiagnosticSwitches.records) { SubscriptionRecord.note(subject, of: sink) }
        var snapshot = ReplayBuffer<Element>.Snapshot()
        var isReplaying = false
        var free: AnyObject?
        let key = lock.locked { () -> SinkList.Key? in
            guard isOpen else {
                if replayPolicy != .beforeEnd { snapshot = buffer.snapshot }
                return nil
            }
            let key = makeKey()
            isReplaying = !buffer.isEmpty && replayPolicy != .afterEnd
            if isReplaying {
                snapshot = buffer.snapshot
                replaying.add(sink, as: key)
            } else {
                free = add(sink, as: key)
            }
            return key
        }
        withExtendedLifetime(free) {}
        snapshot.deliver(to: sink)
        guard let key else {
            if sink.live.isActive { reject(sink, of: subject) }
            return nil
        }
        return !isReplaying || catchUp(sink, key) ? key : nil
    }

    /// Delivers a new subscriber's backlog until it is empty, and then adds the subscriber to the others.
    ///
    /// - Returns: whether the subscriber was added.
    private func catchUp(_ sink: Sink<Element>, _ key: SinkList.Key) -> Bool {
        while true {
            var backlog: AnyObject?
            var isCaughtUp = false
            let free = lock.locked { () -> AnyObject? in
                if !backlogs.isEmpty { backlog = backlogs.removeValue(forKey: key) }
                // Disposal empties `replaying`.
                guard backlog == nil, replaying.remove(key) != nil, isOpen, sink.live.isActive else { return nil }
                isCaughtUp = true
                return add(sink, as: key)
            }
            withExtendedLifetime(free) {}
            guard let backlog else { return isCaughtUp }
            deliver(backlog, to: sink)
        }
    }

    @inline(never)
    private func deliver(_ backlog: AnyObject, to sink: Sink<Element>) {
        unsafeDowncast(backlog, to: Backlog.self).deliver(to: sink)
    }

    /// Adds an element to the backlog of every sink that has not caught up. Called under the lock.
    @inline(never)
    private func enqueue(next element: Element) {
        enqueue(.next(element))
    }

    /// Adds an event to the backlog of every sink that has not caught up. Called under the lock.
    @inline(never)
    private func enqueue(_ event: Event<Element>) {
        replaying.forEach { key, _ in
            let backlog = backlogs[key].map { unsafeDowncast($0, to: Backlog.self) } ?? Backlog()
            backlogs[key] = backlog
            backlog.events.append(event)
        }
    }

    /// Closes the list and delivers the buffered element, if there is one, and the terminal event to all subscribers.
    func terminateWithResult(_ end: Termination) {
        let last = close(with: end)
        var result = ReplayBuffer<Element>.Snapshot()
        if let receiver = last.receiver(of: Element.self) {
            lock.locked { result = buffer.snapshot }
            result.deliver(to: receiver)
        }
        last.terminate(with: end, Element.self)
    }

    override func didClose(with end: Termination) -> AnyObject? {
        if !replaying.isEmpty { enqueue(Event(end)) }
        if case .error = end, replayPolicy != .always { return buffer.takeAll() }
        return nil
    }

    override func didDispose() -> AnyObject? {
        let buffer = buffer.takeAll()
        if buffer == nil, replaying.isEmpty { return nil }
        defer { backlogs = [:] }
        return RetiredObjects(replaying.takeAll().all + backlogs.values + (buffer.map { [$0] } ?? []))
    }
}
