extension ObservableType {
    /// Emits what `resultSelector` makes of `object`, which is not retained, and each element.
    ///
    ///     source                                  --1--2-----3----|
    ///     withUnretained(o) { o, e in … }         --a--b-----|            o is gone before 3
    ///
    /// Completes when the source completes, or with the first element that arrives after the object was deallocated.
    /// Fails with the source's error.
    /// `resultSelector` and the observer are called on the source's thread.
    ///
    /// - Parameters:
    ///   - object: an object that the sequence does not retain.
    ///   - resultSelector: makes an element of the object and the source's element.
    @preconcurrency
    @inlinable
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping @Sendable (Object, Element) -> Result
    ) -> Observable<Result> {
        let step = Step<Element, Result> { [weak object] element, downstream in
            guard let object else { return downstream.completed() }
            let result = resultSelector(object, element)
            if downstream.live.isActive { downstream.next(result) }
        }
        return asObservable().lift(.withUnretained, with: step) { StepSink(.withUnretained, to: $1, $0) }
    }

    /// Emits each element with `object`, which is not retained.
    ///
    ///     source                  --1--2-----3----|
    ///     withUnretained(o)       --o1-o2----|            o is gone before 3
    ///
    /// Completes when the source completes, or with the first element that arrives after the object was deallocated.
    /// Fails with the source's error.
    /// The observer is called on the source's thread.
    @inlinable
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Observable<(Object, Element)> {
        withUnretained(object, resultSelector: { ($0, $1) })
    }
}
