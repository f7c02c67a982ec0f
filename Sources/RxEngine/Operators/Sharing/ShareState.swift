/// What a shared observable knows. Its transitions decide, under the observable's lock; the observable acts, outside it.
struct ShareState<Element> {
    /// A subscriber that is being told what it missed, and what has come meanwhile.
    private struct Newcomer {
        let key: SinkList.Key
        let sink: Sink<Element>
        var missed: [Event<Element>]
    }

    private let scope: SubjectLifetimeScope
    private var replay: ReplayBuffer<Element>
    private var sinks = SinkList()
    private var newcomers: [Newcomer] = []
    /// Newcomers whose run has ended: they are told so, and are not part of the next.
    private var finishing: [Newcomer] = []
    /// The run that is going on.
    private var connection: LiveSubscription?
    /// How the only run ended, where its memory outlives it.
    private var end: Termination?

    init(replay: Int, _ scope: SubjectLifetimeScope) {
        self.replay = ReplayBuffer(capacity: replay)
        self.scope = scope
    }

    /// Adds a subscriber, which then catches up.
    ///
    /// - Returns: its key and, where it is the first, the connection that the caller is to start.
    mutating func join(_ sink: Sink<Element>) -> (SinkList.Key, LiveSubscription?) {
        let key = sinks.makeKey()
        let missed = replay.elements.map(Event.next)
        if let end {
            finishing.append(Newcomer(key: key, sink: sink, missed: missed + [Event(end)]))
            return (key, nil)
        }
        newcomers.append(Newcomer(key: key, sink: sink, missed: missed))
        guard connection == nil else { return (key, nil) }
        let new = LiveSubscription()
        connection = new
        return (key, new)
    }

    /// - Returns: what the subscriber is to be told next, `nil` when it has caught up and gets what comes from now on.
    mutating func catchUp(_ key: SinkList.Key) -> [Event<Element>]? {
        if let index = finishing.firstIndex(where: { $0.key == key }) {
            return finishing.remove(at: index).missed
        }
        guard let index = newcomers.firstIndex(where: { $0.key == key }) else { return nil }
        let missed = newcomers[index].missed
        newcomers[index].missed = []
        if missed.isEmpty { sinks.add(newcomers.remove(at: index).sink, as: key) }
        return missed.isEmpty ? nil : missed
    }

    /// Remembers an element; one that is forgotten for it is moved to `evicted`.
    ///
    /// - Returns: whom to tell, and whether one was forgotten.
    mutating func next(
        _ element: Element, from run: LiveSubscription, evicting evicted: UnsafeMutablePointer<Element>
    ) -> (SinkList, Bool) {
        guard run === connection else { return (SinkList(), false) }
        let hasEvicted = replay.append(element, evicting: evicted)
        if !newcomers.isEmpty { tellNewcomers(.next(element)) }
        return (sinks, hasEvicted)
    }

    /// - Returns: whom to tell, and what is let go of.
    mutating func stop(with end: Termination, from run: LiveSubscription) -> (SinkList, AnyObject?) {
        guard run === connection else { return (SinkList(), nil) }
        connection = nil
        tellNewcomers(Event(end))
        finishing += newcomers
        newcomers = []
        if scope == .forever { self.end = end }
        return (sinks.takeAll(), scope == .whileConnected ? replay.takeAll() : nil)
    }

    /// What is left to do when a subscriber has left.
    struct Leaving {
        /// The run to stop, where it was the last.
        var connection: LiveSubscription?
        /// What is let go of.
        var remains: [AnyObject] = []
    }

    /// Removes a subscriber.
    mutating func leave(_ key: SinkList.Key) -> Leaving {
        if let index = finishing.firstIndex(where: { $0.key == key }) {
            return Leaving(remains: [Remains(finishing.remove(at: index))])
        }
        var leaving = Leaving()
        if let index = newcomers.firstIndex(where: { $0.key == key }) {
            leaving.remains = [Remains(newcomers.remove(at: index))]
        } else if let sink = sinks.remove(key) {
            leaving.remains = [sink]
        } else {
            return leaving
        }
        guard sinks.isEmpty, newcomers.isEmpty, let last = connection.take() else { return leaving }
        leaving.connection = last
        if scope == .whileConnected, let forgotten = replay.takeAll() { leaving.remains.append(forgotten) }
        return leaving
    }

    private final class Remains {
        private let newcomer: Newcomer

        init(_ newcomer: Newcomer) {
            self.newcomer = newcomer
        }
    }

    /// Lets go of what is remembered, at the end of the observable's own life.
    mutating func forget() -> AnyObject? {
        replay.takeAll()
    }

    private mutating func tellNewcomers(_ event: Event<Element>) {
        for index in newcomers.indices { newcomers[index].missed.append(event) }
    }
}
