extension ObservableType {
    /// Emits an element, and drops those that follow it within `interval`.
    ///
    ///     source              --1-2-3-----4-5-|
    ///     throttleFirst(4)    --1---------4---|
    ///
    /// Completes and fails with the source.
    /// The observer is called on the source's thread; `scheduler` only measures the time.
    @inlinable
    public func throttleFirst(_ interval: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        throttle(interval, latest: false, scheduler: scheduler)
    }
}
