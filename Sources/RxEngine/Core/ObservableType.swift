/// A sequence that pushes its events to the observers that subscribe.
public protocol ObservableType<Element>: ObservableConvertibleType {
    /// Subscribes an observer, which starts a run of the sequence.
    ///
    /// The sequence calls the observer on the thread that emits, one event at a time.
    ///
    /// - Parameter observer: receives the events.
    /// - Returns: the disposable that cancels the run. Dropping it cancels nothing.
    func subscribe(_ observer: some ObserverType<Element>) -> any Disposable
}

extension ObservableType {
    /// Returns an ``Observable`` that subscribes to this sequence.
    public func asObservable() -> Observable<Element> {
        .source { self.subscribe(AnyObserver(receiver: $0)) }
    }
}
