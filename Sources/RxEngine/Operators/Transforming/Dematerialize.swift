extension ObservableType where Element: EventConvertible {
    /// The events that the source's elements are. The first that ends a sequence ends this one.
    ///
    ///     source              --1--2--X-----|      with elements .next(1), .next(2), .error(X)
    ///     dematerialize()     --1--2--X
    ///
    /// It is the inverse of ``ObservableType/materialize()``.
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
