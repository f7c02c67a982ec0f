/// Bindings of a sequence that cannot fail: no parameter says how to handle an error.
extension InfallibleType {
    /// Subscribes observers to every event; they are called in the order of the arguments.
    ///
    /// They receive the completion, too, and are called on the source's thread.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func bind<Observer: ObserverType<Element>>(to observers: Observer...) -> any Disposable {
        let source = asObservable()
        return observers.count == 1
            ? source.subscribe(observers[0]) : source.subscribe(BoundObservers(observers) { $0 })
    }

    /// Subscribes observers of optional elements to every event; they are called in the order of the arguments.
    ///
    /// They receive the completion, too, and are called on the source's thread.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func bind<Observer: ObserverType<Element?>>(to observers: Observer...) -> any Disposable {
        asObservable().subscribe(BoundObservers(observers) { $0 })
    }

    /// Calls `binder` with this sequence and returns its result.
    ///
    /// `binder` is called once, at once; it decides how to subscribe.
    public func bind<Result>(to binder: (Self) -> Result) -> Result {
        binder(self)
    }

    /// Calls `binder` with this sequence, and the function that it returns with `curriedArgument`.
    ///
    /// Both are called once, at once; they decide how to subscribe.
    public func bind<Argument, Result>(
        to binder: (Self) -> (Argument) -> Result, curriedArgument: Argument
    ) -> Result {
        binder(self)(curriedArgument)
    }

    /// Subscribes a closure to the elements; it runs on the thread that delivers them.
    ///
    /// Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func bind(onNext: @escaping @Sendable (Element) -> Void) -> any Disposable {
        subscribe(onNext: onNext)
    }

    /// Subscribes a closure that takes `object`, which is not retained, to the elements.
    ///
    /// The closure no longer runs once the object is deallocated; the subscription stays.
    /// It runs on the thread that delivers the element. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func bind<Object: AnyObject>(
        with object: Object, onNext: @escaping @Sendable (Object, Element) -> Void
    ) -> any Disposable {
        subscribe(with: object, onNext: onNext)
    }
}

/// Bindings to relays, which take the elements and ignore the completion.
extension InfallibleType {
    /// Passes each element to relays.
    ///
    /// The relays accept it on the source's thread, one after the other. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Passes each element to relays of optional elements.
    ///
    /// The relays accept it on the source's thread, one after the other. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func bind(to relays: PublishRelay<Element?>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Passes each element to relays.
    ///
    /// The relays accept it on the source's thread, one after the other. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Passes each element to relays of optional elements.
    ///
    /// The relays accept it on the source's thread, one after the other. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Passes each element to relays.
    ///
    /// The relays accept it on the source's thread, one after the other. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func bind(to relays: ReplayRelay<Element>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Passes each element to relays of optional elements.
    ///
    /// The relays accept it on the source's thread, one after the other. Completion is ignored.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func bind(to relays: ReplayRelay<Element?>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }
}
