extension ObservableType {
    /// The elements in sequences by key: the first element with a key brings a new one, which tells it and all others
    /// with that key.
    ///
    ///     source                      --1--2--3--4--|
    ///     groupBy { $0.isMultiple(of: 2) }
    ///     groups                      --a--b--------|
    ///     a                             1-----3-----|
    ///     b                                2-----4--|
    ///
    /// A group that nobody subscribes to keeps nothing. Every end, and an error thrown by `keySelector`, goes to the
    /// groups first, oldest first, and then to the sequence of groups. As long as any group is subscribed to, the
    /// source goes on, even where the sequence of groups was disposed.
    @preconcurrency
    @inlinable
    public func groupBy<Key: Hashable>(
        keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<GroupedObservable<Key, Element>> {
        let source = asObservable()
        return .source(.groupBy) { downstream in
            let table = GroupTable<Key, Element>()
            let sink = GroupBySink<Key, Element>(to: downstream) { element in
                let key = try keySelector(element)
                if let group = table.groups[key] { return (group, nil) }
                let group = PublishSubject<Element>()
                table.groups[key] = group
                return (group, key)
            }
            return sink.start(source)
        }
    }
}

/// The groups by key.
@usableFromInline
final class GroupTable<Key: Hashable, Element> {
    @usableFromInline @exclusivity(unchecked) var groups: [Key: PublishSubject<Element>] = [:]

    @usableFromInline
    init() {}
}

@usableFromInline
final class GroupBySink<Key, Element>: Sink<Element> {
    /// An element's group, and its key where it is a new one.
    @usableFromInline typealias FindGroup = (Element) throws -> (PublishSubject<Element>, Key?)

    private let ticket = ResourceTicket(running: .groupBy)
    private let downstream: Sink<GroupedObservable<Key, Element>>
    private let findGroup: FindGroup
    @exclusivity(unchecked) private var groups: [PublishSubject<Element>] = []
    /// Stops the source when neither the groups nor any of them is subscribed to.
    private let users: RefCountDisposable

    @usableFromInline
    init(to downstream: Sink<GroupedObservable<Key, Element>>, _ findGroup: @escaping FindGroup) {
        self.downstream = downstream
        self.findGroup = findGroup
        let live = LiveSubscription()
        users = RefCountDisposable(disposable: live)
        super.init(live)
    }

    @usableFromInline
    func start(_ source: Observable<Element>) -> any Disposable {
        live.attach(source.run(self))
        return users
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        let group: PublishSubject<Element>
        do {
            let newKey: Key?
            (group, newKey) = try findGroup(element)
            if let newKey { open(group, newKey) }
        } catch {
            return self.error(error)
        }
        if live.isActive { group.onNext(element) }
        // Downstream frees the source by itself, but while it still subscribes it cannot know it.
        if !downstream.live.isActive, !users.isInUse { live.dispose() }
    }

    private func open(_ group: PublishSubject<Element>, _ key: Key) {
        groups.append(group)
        guard downstream.live.isActive else { return }
        downstream.next(GroupedObservable(key: key, source: group.using(users)))
    }

    @usableFromInline
    override func error(_ error: any Error) {
        end(.error(error))
    }

    @usableFromInline
    override func completed() {
        end(.completed)
    }

    private func end(_ end: Termination) {
        guard live.end() else { return }
        for group in groups { group.on(Event(end)) }
        if downstream.live.isActive { downstream.stop(with: end) }
        live.dispose()
    }
}
