extension ObservableType where Element: EventConvertible {
    /// Emits the events that the elements contain.
    ///
    ///     source              --1--2--X-----|      with elements .next(1), .next(2), .error(X)
    ///     dematerialize()     --1--2--X
    ///
    /// Completes or fails with the first contained event that does, or when the source does. It is the inverse of
    /// ``ObservableType/materialize()``.
    /// The observer is called on the source's thread.
    @inlinable
    public func dematerialize() -> Observable<Element.Element> {
        let step = Step<Element, Element.Element> { element, downstream in
            let event = element.event
            guard downstream.live.isActive else { return }
            switch event {
            case .next(let element): downstream.next(element)
            case .error(let error): downstream.error(error)
            case .completed: downstream.completed()
            }
        }
        return asObservable().lift(.dematerialize, with: step) { StepSink(.dematerialize, to: $1, $0) }
    }
}
