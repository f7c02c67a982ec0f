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
            let sink = GroupBySink<Key, Element>(to: downstream) { element, sink in
                let key = try keySelector(element)
                if let group = table.groups[key] { return group }
                let group = PublishSubject<Element>()
                table.groups[key] = group
                sink.open(group, key)
                return group
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
    /// Returns the group of an element, which it opens if it is new. The closure is made where the key's type is known:
    /// in a method of the sink, an optional key would cost more than the lookup.
    @usableFromInline typealias FindGroup = (Element, GroupBySink) throws -> PublishSubject<Element>

    private let ticket: ResourceTicket
    private let downstream: Sink<GroupedObservable<Key, Element>>
    private let findGroup: FindGroup
    @exclusivity(unchecked) private var groups: [PublishSubject<Element>] = []
    /// Disposes the source when neither the sequence of groups nor any group is subscribed to.
    private let refCount: RefCountDisposable

    @usableFromInline
    init(to downstream: Sink<GroupedObservable<Key, Element>>, _ findGroup: @escaping FindGroup) {
        var downstream = downstream
        ticket = ResourceTicket(running: .groupBy, into: &downstream)
        self.downstream = downstream
        self.findGroup = findGroup
        let live = LiveSubscription(in: ticket)
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
            group = try findGroup(element, self)
        } catch {
            return self.error(Hooks.thrown(error, in: .groupBy))
        }
        if live.isActive { group.onNext(element) }
        // Downstream disposes the source by itself, but not while `subscribe` has not yet returned the disposable to
        // it.
        if !downstream.live.isActive, !refCount.isRetained { live.dispose() }
    }

    @usableFromInline
    func open(_ group: PublishSubject<Element>, _ key: Key) {
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
