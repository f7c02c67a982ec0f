/// A sequence of the elements that have one key in common, as ``ObservableType/groupBy(keySelector:)`` emits it.
///
/// Each subscription to it keeps the source of all groups subscribed.
public struct GroupedObservable<Key, Element>: ObservableType {
    /// The key that the elements have in common.
    public let key: Key
    private let source: Observable<Element>

    /// Makes a group of the elements of `source`.
    ///
    /// - Parameters:
    ///   - key: the key that the elements have in common.
    ///   - source: the elements.
    public init(key: Key, source: Observable<Element>) {
        self.key = key
        self.source = source
    }

    /// Subscribes `observer` to the elements of the group.
    ///
    /// It is called on the grouped sequence's thread, and receives the end of that sequence. Dropping the returned
    /// disposable cancels nothing.
    public func subscribe(_ observer: some ObserverType<Element>) -> any Disposable {
        source.subscribe(observer)
    }

    /// The elements, without the key.
    ///
    /// It ends, and calls its observers, as the group does.
    public func asObservable() -> Observable<Element> {
        source
    }
}

extension GroupedObservable: Sendable where Key: Sendable {}
