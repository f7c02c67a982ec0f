/// A sequence that pushes its events to whoever subscribes.
public protocol ObservableType<Element>: ObservableConvertibleType {
    /// Starts a run of the sequence for `observer`.
    ///
    /// - Returns: the only handle that cancels the run. Dropping it cancels nothing.
    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Element
}

extension ObservableType {
    /// An ``Observable`` that subscribes to this sequence.
    public func asObservable() -> Observable<Element> {
        .source { self.subscribe(AnyObserver(receiver: $0)) }
    }
}
