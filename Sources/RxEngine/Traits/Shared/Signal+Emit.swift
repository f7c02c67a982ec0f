extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// Subscribes observers to every event; the main thread calls them.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func emit<Observer: ObserverType<Element>>(to observers: Observer...) -> any Disposable {
        asObservable().subscribe(BoundObservers(observers) { $0 })
    }

    /// Subscribes observers of optional elements to every event; the main thread calls them.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func emit<Observer: ObserverType<Element?>>(to observers: Observer...) -> any Disposable {
        asObservable().subscribe(BoundObservers(observers) { $0 })
    }

    /// Passes each element to relays.
    ///
    /// The relays accept the elements on the main thread. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func emit(to relays: PublishRelay<Element>...) -> any Disposable {
        asObservable().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Passes each element to relays of optional elements.
    ///
    /// The relays accept the elements on the main thread. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func emit(to relays: PublishRelay<Element?>...) -> any Disposable {
        asObservable().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Passes each element to relays.
    ///
    /// The relays accept the elements on the main thread. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func emit(to relays: BehaviorRelay<Element>...) -> any Disposable {
        asObservable().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Passes each element to relays of optional elements.
    ///
    /// The relays accept the elements on the main thread. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func emit(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        asObservable().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Passes each element to relays.
    ///
    /// The relays accept the elements on the main thread. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func emit(to relays: ReplayRelay<Element>...) -> any Disposable {
        asObservable().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Passes each element to relays of optional elements.
    ///
    /// The relays accept the elements on the main thread. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func emit(to relays: ReplayRelay<Element?>...) -> any Disposable {
        asObservable().subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Subscribes closures to the events.
    ///
    /// - Parameters:
    ///   - onNext: takes each element, on the main thread.
    ///   - onCompleted: runs when the sequence completes, on the main thread.
    ///   - onDisposed: runs exactly once, when the subscription has ended, on the thread that ends it.
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
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

    /// Subscribes closures that take `object`, which is not retained.
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
    public func emit<Object: AnyObject>(
        with object: Object,
        onNext: (@MainActor @Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        let (object, onMainActor) = (WeakObject(object), OnMainActor())
        return asObservable().subscribe(
            onNext: onMainActor(object, onNext), onCompleted: onMainActor(object, onCompleted),
            onDisposed: object.passed(to: onDisposed)
        )
    }

    /// Subscribes without an observer, for the side effects of the sequence.
    ///
    /// Any thread may call it. The events are delivered on the main thread, until the sequence completes.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func emit() -> any Disposable {
        asObservable().subscribe()
    }
}
