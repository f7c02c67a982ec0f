extension ObservableType {
    /// Emits the elements that are not `nil`.
    ///
    ///     source      --1--nil--3--|
    ///     unwrap()    --1-------3--|
    ///
    /// Completes and fails with the source.
    /// The observer is called on the source's thread.
    @inlinable
    public func unwrap<Wrapped>() -> Observable<Wrapped> where Element == Wrapped? {
        let step = Step<Element, Wrapped> { element, downstream in
            if let element { downstream.next(element) }
        }
        return asObservable().lift(.unwrap, with: step) { StepSink(.unwrap, to: $1, $0) }
    }
}
