/// Those who are subscribed to what remembers: a newcomer is first told what it missed, and then what has come
/// meanwhile, outside the lock, until it has caught up.
// Unchecked: as its superclass.
@usableFromInline
final class ReplayAudience<Element>: Audience, @unchecked Sendable {
    private let recall: Recall
    @exclusivity(unchecked) private var memory: ReplayBuffer<Element>
    /// Those who are being told what they missed.
    @exclusivity(unchecked) private var newcomers = SinkList()
    /// The events that arrived since, a ``Backlog`` for each newcomer that missed any.
    @exclusivity(unchecked) private var backlogs: [SinkList.Key: AnyObject] = [:]

    /// The events that a newcomer has yet to receive, oldest first.
    ///
    /// It is an object, and used in methods of its own, because looking up the type of the events would cost a
    /// subscription that misses none more than the rest of it.
    private final class Backlog {
        var events: [Event<Element>] = []

        init() {}

        @inline(never)
        func deliver(to sink: Sink<Element>) {
            for event in events where sink.live.isActive { sink.on(event) }
        }
    }

    /// When newcomers are told what is remembered.
    private enum Recall {
        case always
        case beforeEnd
        /// Elements are told to nobody before.
        case afterEnd
    }

    /// An audience of what remembers the last `capacity` elements.
    @usableFromInline
    init(capacity: Int) {
        memory = ReplayBuffer(capacity: capacity)
        recall = .always
    }

    /// An audience of what has a result, the last element, once it has completed.
    override init() {
        memory = ReplayBuffer(capacity: 1)
        recall = .afterEnd
        super.init()
    }

    /// An audience of what always has a value, until it ends.
    init(value: Element) {
        memory = ReplayBuffer(capacity: 1)
        recall = .beforeEnd
        super.init()
        var value = value
        memory.exchange(&value)
    }

    deinit {
        memory.destroy()
    }

    override var isPresent: Bool { super.isPresent || lock.locked { !newcomers.isEmpty } }

    /// The last element, of what always has one. It throws where there is none any more.
    func value(of owner: any AnyObject & Sendable) throws -> Element {
        try lock.locked {
            switch phase {
            case .open, .stopped(.completed): return memory.newest
            case .stopped(.error(let error)): throw error
            case .disposed: throw RxError.disposed(object: owner)
            }
        }
    }

    /// The last element, of what always has one and never ends.
    var value: Element { lock.locked { memory.newest } }

    /// Remembers an element and tells everyone, where `run`, if it is one's, is still going on.
    func remember(_ element: Element, from run: LiveSubscription? = nil) {
        var forgotten = element
        let receiver = lock.locked { () -> Hold? in
            guard isOpen, run?.isActive != false else { return nil }
            memory.exchange(&forgotten)
            if !newcomers.isEmpty { keep(next: element) }
            return recall == .afterEnd ? nil : hold(for: Element.self)
        }
        if let receiver { tell(element, to: receiver) }
    }

    /// Takes a sink in and tells it what it missed and, where it is too late, the end.
    ///
    /// - Parameters:
    ///   - sink: what is told from now on.
    ///   - owner: what refuses it once disposed.
    /// - Returns: by what it can ``leave(_:)``, where it was taken in.
    func admitAndRecall(_ sink: Sink<Element>, to owner: any AnyObject & Sendable) -> SinkList.Key? {
        var missed = ReplayBuffer<Element>.Copies()
        var isNewcomer = false
        var free: AnyObject?
        let key = lock.locked { () -> SinkList.Key? in
            guard isOpen else {
                if recall != .beforeEnd { missed = memory.copies }
                return nil
            }
            let key = makeKey()
            isNewcomer = !memory.isEmpty && recall != .afterEnd
            if isNewcomer {
                missed = memory.copies
                newcomers.add(sink, as: key)
            } else {
                free = add(sink, as: key)
            }
            return key
        }
        withExtendedLifetime(free) {}
        missed.tell(to: sink)
        guard let key else {
            if sink.live.isActive { refuse(sink, of: owner) }
            return nil
        }
        return !isNewcomer || catchUp(sink, key) ? key : nil
    }

    /// Delivers to a newcomer the events that arrived meanwhile, until there are none.
    ///
    /// - Returns: whether the newcomer has become a subscriber like the others.
    private func catchUp(_ sink: Sink<Element>, _ key: SinkList.Key) -> Bool {
        while true {
            var backlog: AnyObject?
            var isIn = false
            let free = lock.locked { () -> AnyObject? in
                if !backlogs.isEmpty { backlog = backlogs.removeValue(forKey: key) }
                // A subject that was disposed meanwhile has no newcomers.
                guard backlog == nil, newcomers.remove(key) != nil, isOpen, sink.live.isActive else { return nil }
                isIn = true
                return add(sink, as: key)
            }
            withExtendedLifetime(free) {}
            guard let backlog else { return isIn }
            deliver(backlog, to: sink)
        }
    }

    @inline(never)
    private func deliver(_ backlog: AnyObject, to sink: Sink<Element>) {
        unsafeDowncast(backlog, to: Backlog.self).deliver(to: sink)
    }

    /// Called under the lock: keeps an element for every newcomer.
    @inline(never)
    private func keep(next element: Element) {
        keep(.next(element))
    }

    @inline(never)
    private func keep(_ event: Event<Element>) {
        newcomers.forEach { key, _ in
            let backlog = backlogs[key].map { unsafeDowncast($0, to: Backlog.self) } ?? Backlog()
            backlogs[key] = backlog
            backlog.events.append(event)
        }
    }

    /// Tells everyone the result, if there is one, and the end.
    func stopWithResult(_ end: Termination) {
        let last = close(with: end)
        var result = ReplayBuffer<Element>.Copies()
        if let receiver = last.receiver(of: Element.self) {
            lock.locked { result = memory.copies }
            result.tell(to: receiver)
        }
        last.stop(with: end, Element.self)
    }

    override func closing(with end: Termination) -> AnyObject? {
        if !newcomers.isEmpty { keep(Event(end)) }
        if case .error = end, recall != .always { return memory.takeAll() }
        return nil
    }

    override func disposing() -> AnyObject? {
        let memory = memory.takeAll()
        if memory == nil, newcomers.isEmpty { return nil }
        defer { backlogs = [:] }
        return Remains(newcomers.takeAll().all + backlogs.values + (memory.map { [$0] } ?? []))
    }
}
