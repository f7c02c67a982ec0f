extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// Emits the result of `resultSelector` for each element and `object`, which is not retained.
    ///
    ///     source                                  --1--2-----3----|
    ///     withUnretained(o) { o, e in … }         --a--b-----|            o is deallocated before 3
    ///
    /// It completes at the first element after the object is deallocated.
    /// Otherwise it completes with the source. `resultSelector` and the observer are called on the main thread.
    @preconcurrency
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping @Sendable (Object, Element) -> Result
    ) -> Signal<Result> {
        Signal(asObservable().withUnretained(object) { resultSelector($0, $1) })
    }

    /// Emits each element with `object`, which is not retained.
    ///
    /// It completes at the first element after the object is deallocated.
    /// Otherwise it completes with the source. The observer is called on the main thread.
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Signal<(Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Unavailable for drivers, which would retain the object in the element that they replay.
    @available(*, unavailable, message: "a driver would retain the object in what it replays; use drive(with:onNext:)")
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> Driver<Result> {
        .never()
    }

    /// Unavailable for drivers, which would retain the object in the element that they replay.
    @available(*, unavailable, message: "a driver would retain the object in what it replays; use drive(with:onNext:)")
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Driver<(Object, Element)> {
        .never()
    }
}
