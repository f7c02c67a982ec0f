extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Subscribes observers to every event.
    ///
    /// Call it on the main thread.
    /// The observers are called there, also for the completion.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func drive<Observer: ObserverType<Element>>(_ observers: Observer...) -> any Disposable {
        driven().subscribe(BoundObservers(observers) { $0 })
    }

    /// Subscribes observers of optional elements to every event.
    ///
    /// Call it on the main thread.
    /// The observers are called there, also for the completion.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func drive<Observer: ObserverType<Element?>>(_ observers: Observer...) -> any Disposable {
        driven().subscribe(BoundObservers(observers) { $0 })
    }

    /// Passes each element to relays.
    ///
    /// Call it on the main thread.
    /// The relays accept the elements on the main thread. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func drive(_ relays: BehaviorRelay<Element>...) -> any Disposable {
        driven().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Passes each element to relays of optional elements.
    ///
    /// Call it on the main thread.
    /// The relays accept the elements on the main thread. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func drive(_ relays: BehaviorRelay<Element?>...) -> any Disposable {
        driven().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Passes each element to relays.
    ///
    /// Call it on the main thread.
    /// The relays accept the elements on the main thread. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func drive(_ relays: ReplayRelay<Element>...) -> any Disposable {
        driven().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Passes each element to relays of optional elements.
    ///
    /// Call it on the main thread.
    /// The relays accept the elements on the main thread. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func drive(_ relays: ReplayRelay<Element?>...) -> any Disposable {
        driven().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Calls a custom binding with the driver's observable and returns its result.
    ///
    /// Call it on the main thread.
    /// The observable never fails, and delivers on the main thread.
    public func drive<Result>(_ transformation: (Observable<Element>) -> Result) -> Result {
        transformation(driven())
    }

    /// Calls a custom binding with the driver's observable, and the function that it returns with `curriedArgument`.
    ///
    /// Call it on the main thread.
    /// The observable never fails, and delivers on the main thread.
    public func drive<Argument, Result>(
        _ with: (Observable<Element>) -> (Argument) -> Result, curriedArgument: Argument
    ) -> Result {
        with(driven())(curriedArgument)
    }

    // This overload exists because the compiler cannot infer a generic `Argument` as a sendable function from a
    // closure.
    /// Calls a custom binding with the driver's observable, and the function that it returns with a sendable closure.
    ///
    /// Call it on the main thread.
    /// The observable never fails, and delivers on the main thread.
    @preconcurrency
    @_disfavoredOverload
    public func drive<each Input, Output, Result>(
        _ with: (Observable<Element>) -> (@escaping @Sendable (repeat each Input) -> Output) -> Result,
        curriedArgument: @escaping @Sendable (repeat each Input) -> Output
    ) -> Result {
        with(driven())(curriedArgument)
    }

    /// Subscribes closures to the events.
    ///
    /// Call it on the main thread.
    ///
    /// - Parameters:
    ///   - onNext: takes each element, on the main thread.
    ///   - onCompleted: runs when the sequence completes, on the main thread.
    ///   - onDisposed: runs exactly once, when the subscription has ended, on the thread that ends it.
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func drive(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        let onMainActor = OnMainActor()
        return driven().subscribe(
            onNext: onMainActor(onNext), onCompleted: onMainActor(onCompleted), onDisposed: onDisposed
        )
    }

    /// Subscribes closures that take `object`, which is not retained.
    ///
    /// Call it on the main thread.
    ///
    /// The closures no longer run once the object is deallocated; the subscription stays.
    ///
    /// - Parameters:
    ///   - object: the first argument of each closure.
    ///   - onNext: takes each element, on the main thread.
    ///   - onCompleted: runs when the sequence completes, on the main thread.
    ///   - onDisposed: runs at most once, when the subscription has ended, on the thread that ends it.
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func drive<Object: AnyObject>(
        with object: Object,
        onNext: (@MainActor @Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        let (object, onMainActor) = (WeakObject(object), OnMainActor())
        return driven().subscribe(
            onNext: onMainActor(object, onNext), onCompleted: onMainActor(object, onCompleted),
            onDisposed: object.passed(to: onDisposed)
        )
    }

    /// Subscribes without an observer, for the side effects of the sequence.
    ///
    /// Call it on the main thread.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func drive() -> any Disposable {
        driven().subscribe()
    }

    /// Returns the observable after a check that the caller runs on the main thread.
    private func driven() -> Observable<Element> {
        if !SharingScheduler.isMocked {
            MainScheduler.ensureRunningOnMainThread(
                errorMessage: """
                    drive was called off the main thread, but a Driver replays its latest element inside the call. \
                    Dispatch the call to the main queue, or use a Signal.
                    """
            )
        }
        return asObservable()
    }
}
