/// What takes the elements of a sequence that cannot fail: nothing here has to say what becomes of an error.
extension InfallibleType {
    /// Subscribes observers to every event, in this order.
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        let source = asObservable()
        return observers.count == 1
            ? source.subscribe(observers[0]) : source.subscribe(BoundObservers(observers) { $0 })
    }

    /// Subscribes observers of optional elements to every event, in this order.
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        asObservable().subscribe(BoundObservers(observers) { $0 })
    }

    /// Hands the sequence to `binder`.
    public func bind<Result>(to binder: (Self) -> Result) -> Result {
        binder(self)
    }

    /// Hands the sequence to `binder` and an argument to what that returns.
    public func bind<Argument, Result>(
        to binder: (Self) -> (Argument) -> Result, curriedArgument: Argument
    ) -> Result {
        binder(self)(curriedArgument)
    }

    /// Subscribes a closure to the elements.
    @preconcurrency
    public func bind(onNext: @escaping @Sendable (Element) -> Void) -> any Disposable {
        subscribe(onNext: onNext)
    }

    /// Subscribes a closure that gets `object` to the elements. The object is not kept alive: once it is gone the
    /// closure is not run any more.
    @preconcurrency
    public func bind<Object: AnyObject>(
        with object: Object, onNext: @escaping @Sendable (Object, Element) -> Void
    ) -> any Disposable {
        subscribe(with: object, onNext: onNext)
    }
}

/// Relays take the elements; the end of the sequence is none of theirs.
extension InfallibleType {
    /// Hands each element to these relays.
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Hands each element to these relays of optional elements.
    public func bind(to relays: PublishRelay<Element?>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Hands each element to these relays.
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Hands each element to these relays of optional elements.
    public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Hands each element to these relays.
    public func bind(to relays: ReplayRelay<Element>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Hands each element to these relays of optional elements.
    public func bind(to relays: ReplayRelay<Element?>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }
}
