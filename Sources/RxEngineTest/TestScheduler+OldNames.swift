import RxEngine

// Earlier forms of the scheduler's methods.
extension TestScheduler {
    /// The old name of `start(disposed:create:)`.
    @preconcurrency
    @available(*, deprecated, renamed: "start(disposed:create:)")
    public func start<Element>(
        _ disposed: TestTime, create: @escaping @Sendable () -> Observable<Element>
    ) -> TestableObserver<Element> {
        start(disposed: disposed, create: create)
    }

    /// The old name of `start(created:subscribed:disposed:create:)`.
    @preconcurrency
    @available(*, deprecated, renamed: "start(created:subscribed:disposed:create:)")
    public func start<Element>(
        _ created: TestTime, subscribed: TestTime, disposed: TestTime,
        create: @escaping @Sendable () -> Observable<Element>
    ) -> TestableObserver<Element> {
        start(created: created, subscribed: subscribed, disposed: disposed, create: create)
    }
}
