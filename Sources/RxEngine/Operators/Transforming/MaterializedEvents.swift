extension ObservableType where Element: EventConvertible {
    /// Emits the elements of the events that this sequence emits.
    ///
    ///     source          --1--2--X--3--|      with elements .next(1), .next(2), .error(X), .next(3)
    ///     elements()      --1--2-----3--|
    ///
    /// Drops errors and completions, unlike ``ObservableType/dematerialize()``. With a sequence of materialized
    /// sequences, it and ``ObservableType/errors()`` split results from failures. Completes and fails with the source.
    /// The observer is called on the source's thread.
    @inlinable
    public func elements() -> Observable<Element.Element> {
        let step = Step<Element, Element.Element> { event, downstream in
            if let element = event.event.element { downstream.next(element) }
        }
        return asObservable().lift(.dematerialize, with: step) { StepSink(.dematerialize, to: $1, $0) }
    }

    /// Emits the errors of the events that this sequence emits, as elements.
    ///
    ///     source          --1--2--X--3--|      with elements .next(1), .next(2), .error(X), .next(3)
    ///     errors()        --------X-----|
    ///
    /// Completes and fails with the source.
    /// The observer is called on the source's thread.
    @inlinable
    public func errors() -> Observable<any Error> {
        let step = Step<Element, any Error> { event, downstream in
            if let error = event.event.error { downstream.next(error) }
        }
        return asObservable().lift(.dematerialize, with: step) { StepSink(.dematerialize, to: $1, $0) }
    }
}
