extension ObservableType {
    /// Groups the elements by key, and emits each group with its first element.
    ///
    ///     source                      --1--2--3--4--|
    ///     groupBy { $0.isMultiple(of: 2) }
    ///     groups                      --a--b--------|
    ///     a                             1-----3-----|
    ///     b                                2-----4--|
    ///
    /// A group buffers nothing: elements that arrive while it has no subscriber are lost.
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that `keySelector` throws.
    /// All groups, oldest first, end in the same way before the sequence of groups does. The source stays subscribed as
    /// long as any group is, even if the sequence of groups was disposed.
    /// `keySelector`, the observer and the observers of the groups are called on the source's thread.
    ///
    /// - Parameter keySelector: returns the key of an element.
    /// - Complexity: One look-up by key for each element; memory grows with the number of keys.
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
final class GroupBySink<Key, Element>: BoundarySink<Element> {
    /// Returns the group of an element, and its key if the group is new.
    @usableFromInline typealias FindGroup = (Element) throws -> (PublishSubject<Element>, Key?)

    private let ticket = ResourceTicket(running: .groupBy)
    private let downstream: Sink<GroupedObservable<Key, Element>>
    private let findGroup: FindGroup
    @exclusivity(unchecked) private var groups: [PublishSubject<Element>] = []
    /// Disposes the source when neither the sequence of groups nor any group is subscribed to.
    private let refCount: RefCountDisposable

    @usableFromInline
    init(to downstream: Sink<GroupedObservable<Key, Element>>, _ findGroup: @escaping FindGroup) {
        self.downstream = downstream
        self.findGroup = findGroup
        let live = LiveSubscription()
        refCount = RefCountDisposable(disposable: live)
        super.init(live)
    }

    @usableFromInline
    func start(_ source: Observable<Element>) -> any Disposable {
        live.attach(source.run(self))
        return refCount
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
        // Downstream disposes the source by itself, but not while `subscribe` has not yet returned the disposable to
        // it.
        if !downstream.live.isActive, !refCount.isRetained { live.dispose() }
    }

    private func open(_ group: PublishSubject<Element>, _ key: Key) {
        groups.append(group)
        guard downstream.live.isActive else { return }
        downstream.next(GroupedObservable(key: key, source: group.retaining(refCount)))
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        for group in groups { group.on(Event(end)) }
        if downstream.live.isActive { downstream.terminate(with: end) }
    }
}
