extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Subscribes observers. Called on the main thread.
    public func drive<Observer: ObserverType>(_ observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        driven().subscribe(BoundObservers(observers) { $0 })
    }

    /// Subscribes observers of optional elements. Called on the main thread.
    public func drive<Observer: ObserverType>(_ observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        driven().subscribe(BoundObservers(observers) { $0 })
    }

    /// Feeds relays. Called on the main thread.
    public func drive(_ relays: BehaviorRelay<Element>...) -> any Disposable {
        driven().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Feeds relays of optional elements. Called on the main thread.
    public func drive(_ relays: BehaviorRelay<Element?>...) -> any Disposable {
        driven().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Feeds relays. Called on the main thread.
    public func drive(_ relays: ReplayRelay<Element>...) -> any Disposable {
        driven().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Feeds relays of optional elements. Called on the main thread.
    public func drive(_ relays: ReplayRelay<Element?>...) -> any Disposable {
        driven().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// What `transformation` makes of the driver's observable: a way to bind of one's own. Called on the main thread.
    public func drive<Result>(_ transformation: (Observable<Element>) -> Result) -> Result {
        transformation(driven())
    }

    /// What `with` makes of the driver's observable and `curriedArgument`: a way to bind of one's own. Called on the
    /// main thread.
    public func drive<Argument, Result>(
        _ with: (Observable<Element>) -> (Argument) -> Result, curriedArgument: Argument
    ) -> Result {
        with(driven())(curriedArgument)
    }

    // The compiler cannot tell the type of a closure literal for a sendable function from a generic `Argument`.
    /// What `with` makes of the driver's observable and a sendable closure. Called on the main thread.
    @preconcurrency
    @_disfavoredOverload
    public func drive<each Input, Output, Result>(
        _ with: (Observable<Element>) -> (@escaping @Sendable (repeat each Input) -> Output) -> Result,
        curriedArgument: @escaping @Sendable (repeat each Input) -> Output
    ) -> Result {
        with(driven())(curriedArgument)
    }

    /// Subscribes closures. Called on the main thread.
    ///
    /// - Parameters:
    ///   - onNext: takes each element, on the main thread.
    ///   - onCompleted: runs when the sequence ends, on the main thread.
    ///   - onDisposed: runs exactly once, when the subscription is over, wherever that happens.
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

    /// Subscribes closures that take `object`, which is held weakly: once it is gone they are no longer run. The
    /// subscription itself goes on. Called on the main thread.
    ///
    /// - Parameters:
    ///   - object: what the closures take first.
    ///   - onNext: takes each element, on the main thread.
    ///   - onCompleted: runs when the sequence ends, on the main thread.
    ///   - onDisposed: runs when the subscription is over, wherever that happens.
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
            onDisposed: object.handing(to: onDisposed)
        )
    }

    /// Subscribes nobody: for what the sequence does on its way. Called on the main thread.
    public func drive() -> any Disposable {
        driven().subscribe()
    }

    /// The observable, for who may have it.
    private func driven() -> Observable<Element> {
        if !SharingScheduler.isMocked {
            MainScheduler.ensureRunningOnMainThread(
                errorMessage: """
                    a driver is driven on the main thread: it replays its latest element inside the call. Dispatch the \
                    call to the main queue, or use a Signal.
                    """
            )
        }
        return asObservable()
    }
}
