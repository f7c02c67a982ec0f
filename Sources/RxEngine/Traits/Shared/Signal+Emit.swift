extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// Subscribes observers.
    public func emit<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        asObservable().subscribe(BoundObservers(observers) { $0 })
    }

    /// Subscribes observers of optional elements.
    public func emit<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        asObservable().subscribe(BoundObservers(observers) { $0 })
    }

    /// Feeds relays.
    public func emit(to relays: PublishRelay<Element>...) -> any Disposable {
        asObservable().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Feeds relays of optional elements.
    public func emit(to relays: PublishRelay<Element?>...) -> any Disposable {
        asObservable().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Feeds relays.
    public func emit(to relays: BehaviorRelay<Element>...) -> any Disposable {
        asObservable().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Feeds relays of optional elements.
    public func emit(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        asObservable().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Feeds relays.
    public func emit(to relays: ReplayRelay<Element>...) -> any Disposable {
        asObservable().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Feeds relays of optional elements.
    public func emit(to relays: ReplayRelay<Element?>...) -> any Disposable {
        asObservable().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Subscribes closures.
    ///
    /// - Parameters:
    ///   - onNext: takes each element, on the main thread.
    ///   - onCompleted: runs when the sequence ends, on the main thread.
    ///   - onDisposed: runs exactly once, when the subscription is over, wherever that happens.
    @preconcurrency
    public func emit(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        let onMainActor = OnMainActor()
        return asObservable().subscribe(
            onNext: onMainActor(onNext), onCompleted: onMainActor(onCompleted), onDisposed: onDisposed
        )
    }

    /// Subscribes closures that take `object`, which is held weakly: once it is gone they are no longer run. The
    /// subscription itself goes on.
    ///
    /// - Parameters:
    ///   - object: what the closures take first.
    ///   - onNext: takes each element, on the main thread.
    ///   - onCompleted: runs when the sequence ends, on the main thread.
    ///   - onDisposed: runs when the subscription is over, wherever that happens.
    @preconcurrency
    public func emit<Object: AnyObject>(
        with object: Object,
        onNext: (@MainActor @Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        let (object, onMainActor) = (WeakObject(object), OnMainActor())
        return asObservable().subscribe(
            onNext: onMainActor(object, onNext), onCompleted: onMainActor(object, onCompleted),
            onDisposed: object.handing(to: onDisposed)
        )
    }

    /// Subscribes nobody: for what the sequence does on its way.
    public func emit() -> any Disposable {
        asObservable().subscribe()
    }
}
