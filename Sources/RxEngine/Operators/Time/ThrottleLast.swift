extension ObservableType {
    /// Emits the latest element of each period of `interval` in which there was one.
    ///
    ///     source             --1-2-3-----4-5---|
    ///     throttleLast(4)    ---1---3-------5--|
    ///
    /// Completes at the end of the period in which the source completes, and fails with the source at once. Elements are
    /// delivered on `scheduler`.
    @inlinable
    public func throttleLast(_ interval: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        sample(Observable<Int>.interval(interval, scheduler: scheduler))
    }
}
