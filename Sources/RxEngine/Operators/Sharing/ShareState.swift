// Unchecked: reached only under the shared observable's lock.
/// What a shared observable knows. Its transitions decide, under the observable's lock; the observable acts, outside it.
struct ShareState<Element>: @unchecked Sendable {
    typealias Key = SinkList<Element>.Key

    /// A subscriber that is being told what it missed, and what has come meanwhile.
    private struct Newcomer {
        let key: Key
        let sink: Sink<Element>
        var missed: [Event<Element>]
    }

    private let scope: SubjectLifetimeScope
    private var replay: ReplayBuffer<Element>
    private var sinks = SinkList<Element>()
    private var newcomers: [Newcomer] = []
    /// Newcomers whose run has ended: they are told so, and are not part of the next.
    private var finishing: [Newcomer] = []
    /// The run that is going on.
    private var connection: LiveSubscription?
    /// How the only run ended, where its memory outlives it.
    private var end: Event<Element>?

    init(replay: Int, _ scope: SubjectLifetimeScope) {
        self.replay = ReplayBuffer(capacity: replay)
        self.scope = scope
    }

    /// Adds a subscriber, which then catches up.
    ///
    /// - Returns: its key and, where it is the first, the connection that the caller is to start.
    mutating func join(_ sink: Sink<Element>) -> (Key, LiveSubscription?) {
        let key = sinks.makeKey()
        let missed = replay.elements.map(Event.next)
        if let end {
            finishing.append(Newcomer(key: key, sink: sink, missed: missed + [end]))
            return (key, nil)
        }
        newcomers.append(Newcomer(key: key, sink: sink, missed: missed))
        guard connection == nil else { return (key, nil) }
        let new = LiveSubscription()
        connection = new
        return (key, new)
    }

    /// - Returns: what the subscriber is to be told next, `nil` when it has caught up and gets what comes from now on.
    mutating func catchUp(_ key: Key) -> [Event<Element>]? {
        if let index = finishing.firstIndex(where: { $0.key == key }) {
            return finishing.remove(at: index).missed
        }
        guard let index = newcomers.firstIndex(where: { $0.key == key }) else { return nil }
        let missed = newcomers[index].missed
        newcomers[index].missed = []
        if missed.isEmpty { sinks.append(newcomers.remove(at: index).sink, as: key) }
        return missed.isEmpty ? nil : missed
    }

    /// - Returns: whom to tell.
    mutating func next(_ element: Element, from run: LiveSubscription) -> SinkList<Element> {
        guard run === connection else { return SinkList() }
        replay.append(element)
        for index in newcomers.indices { newcomers[index].missed.append(.next(element)) }
        return sinks
    }

    /// - Returns: whom to tell.
    mutating func stop(with event: Event<Element>, from run: LiveSubscription) -> SinkList<Element> {
        guard run === connection else { return SinkList() }
        connection = nil
        switch scope {
        case .whileConnected: replay.removeAll()
        case .forever: end = event
        }
        for index in newcomers.indices { newcomers[index].missed.append(event) }
        finishing += newcomers
        newcomers = []
        return sinks.takeAll()
    }

    /// Removes a subscriber.
    ///
    /// - Returns: the subscribers as they were, and the connection to dispose where the last one left.
    mutating func leave(_ key: Key) -> (SinkList<Element>, LiveSubscription?) {
        var before = sinks
        if let index = finishing.firstIndex(where: { $0.key == key }) {
            before.append(finishing.remove(at: index).sink, as: key)
            return (before, nil)
        } else if let index = newcomers.firstIndex(where: { $0.key == key }) {
            before.append(newcomers.remove(at: index).sink, as: key)
        } else if !sinks.remove(key) {
            return (before, nil)
        }
        guard sinks.isEmpty, newcomers.isEmpty, let last = connection.take() else { return (before, nil) }
        if scope == .whileConnected { replay.removeAll() }
        return (before, last)
    }
}
