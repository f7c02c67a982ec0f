extension ObservableType {
    /// Puts each element through `resultSelector` with `object`, which is not kept alive. The sequence ends with the
    /// first element that comes after the object is gone.
    ///
    ///     source                                  --1--2-----3----|
    ///     withUnretained(o) { o, e in … }         --a--b-----|            o is gone before 3
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

    /// Each element with `object`, which is not kept alive. The sequence ends with the first element that comes after
    /// the object is gone.
    @inlinable
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Observable<(Object, Element)> {
        withUnretained(object, resultSelector: { ($0, $1) })
    }
}
