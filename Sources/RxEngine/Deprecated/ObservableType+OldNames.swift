// RxSwift's earlier names of operators.
extension ObservableType {
    /// The old name of ``ObservableType/observe(on:)``.
    @available(*, deprecated, renamed: "observe(on:)")
    public func observeOn(_ scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        observe(on: scheduler)
    }

    /// The old name of ``ObservableType/subscribe(on:)``.
    @available(*, deprecated, renamed: "subscribe(on:)")
    public func subscribeOn(_ scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        subscribe(on: scheduler)
    }

    /// The old name of ``ObservableType/catch(_:)``.
    @preconcurrency
    @available(*, deprecated, renamed: "catch(_:)")
    public func catchError(
        _ handler: @escaping @Sendable (any Error) throws -> Observable<Element>
    ) -> Observable<Element> {
        `catch`(handler)
    }

    /// The old name of ``ObservableType/catch(sequence:)``.
    @available(*, deprecated, renamed: "catch(sequence:)")
    public static func catchError(_ sequence: some Sequence<Observable<Element>>) -> Observable<Element> {
        .catch(sequence: sequence)
    }

    /// The old name of ``ObservableType/catchAndReturn(_:)``.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    public func catchErrorJustReturn(_ element: Element) -> Observable<Element> {
        catchAndReturn(element)
    }

    /// The old name of `retry(when:)`, for errors of one type.
    @preconcurrency
    @available(*, deprecated, renamed: "retry(when:)")
    public func retryWhen<Trigger: ObservableType, Failure: Error>(
        _ notificationHandler: @escaping @Sendable (Observable<Failure>) -> Trigger
    ) -> Observable<Element> {
        retry(when: notificationHandler)
    }

    /// The old name of `retry(when:)`.
    @preconcurrency
    @available(*, deprecated, renamed: "retry(when:)")
    public func retryWhen<Trigger: ObservableType>(
        _ notificationHandler: @escaping @Sendable (Observable<any Error>) -> Trigger
    ) -> Observable<Element> {
        retry(when: notificationHandler)
    }

    /// The old name of ``ObservableType/element(at:)``.
    @available(*, deprecated, renamed: "element(at:)")
    public func elementAt(_ index: Int) -> Observable<Element> {
        element(at: index)
    }

    /// The old name of ``ObservableType/skip(until:)``.
    @available(*, deprecated, renamed: "skip(until:)")
    public func skipUntil(_ other: some ObservableType) -> Observable<Element> {
        skip(until: other)
    }

    /// The old name of ``ObservableType/skip(while:)``.
    @preconcurrency
    @available(*, deprecated, renamed: "skip(while:)")
    public func skipWhile(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        skip(while: predicate)
    }

    /// The old name of ``ObservableType/take(until:)``.
    @available(*, deprecated, renamed: "take(until:)")
    public func takeUntil(_ other: some ObservableType) -> Observable<Element> {
        take(until: other)
    }

    /// The old name of ``ObservableType/take(until:behavior:)``.
    @preconcurrency
    @available(*, deprecated, renamed: "take(until:behavior:)")
    public func takeUntil(
        _ behavior: TakeBehavior, predicate: @escaping @Sendable (Element) throws -> Bool
    ) -> Observable<Element> {
        take(until: predicate, behavior: behavior)
    }

    /// The old name of ``ObservableType/take(while:behavior:)``.
    @preconcurrency
    @available(*, deprecated, renamed: "take(while:)")
    public func takeWhile(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        take(while: predicate)
    }

    /// The old name of ``ObservableType/take(for:scheduler:)``.
    @available(*, deprecated, renamed: "take(for:scheduler:)")
    public func take(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        take(for: duration, scheduler: scheduler)
    }
}
