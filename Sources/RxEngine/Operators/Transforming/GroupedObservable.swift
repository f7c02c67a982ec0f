/// The elements of a sequence that have one key in common: what ``ObservableType/groupBy(keySelector:)`` tells.
///
/// Subscribing to it keeps the whole sequence running.
public struct GroupedObservable<Key, Element>: ObservableType {
    /// What the elements have in common.
    public let key: Key
    private let source: Observable<Element>

    /// The elements of `source`, which have `key` in common.
    public init(key: Key, source: Observable<Element>) {
        self.key = key
        self.source = source
    }

    /// Subscribes to the elements.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        source.subscribe(observer)
    }

    /// The elements, without the key.
    public func asObservable() -> Observable<Element> {
        source
    }
}

extension GroupedObservable: Sendable where Key: Sendable {}
