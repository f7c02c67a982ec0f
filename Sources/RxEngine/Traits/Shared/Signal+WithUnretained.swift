extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// Each element through `resultSelector` with `object`, which is held weakly; the sequence ends with the first
    /// element after the object is gone.
    @preconcurrency
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping @Sendable (Object, Element) -> Result
    ) -> Signal<Result> {
        Signal(asObservable().withUnretained(object) { resultSelector($0, $1) })
    }

    /// Each element with `object`, which is held weakly; the sequence ends with the first element after the object is
    /// gone.
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Signal<(Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Not for drivers: what a driver replays would keep the object alive.
    @available(*, unavailable, message: "a driver would retain the object in what it replays; use drive(with:onNext:)")
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> Driver<Result> {
        .never()
    }

    /// Not for drivers: what a driver replays would keep the object alive.
    @available(*, unavailable, message: "a driver would retain the object in what it replays; use drive(with:onNext:)")
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Driver<(Object, Element)> {
        .never()
    }
}
