extension ObservableType {
    /// Subscribes observers: each event goes to one after the other.
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        observers.count == 1 ? subscribe(observers[0]) : subscribe(BoundObservers(observers) { $0 })
    }

    /// Subscribes observers of optional elements: each event goes to one after the other.
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        subscribe(BoundObservers(observers) { $0 })
    }

    /// What `binder` makes of this sequence: a way to bind of one's own.
    public func bind<Result>(to binder: (Self) -> Result) -> Result {
        binder(self)
    }

    /// What `binder` makes of this sequence and `curriedArgument`: a way to bind of one's own.
    ///
    ///     func rows(_ source: Observable<[Row]>) -> (@escaping (Row) -> String) -> any Disposable
    ///     source.bind(to: rows) { $0.title }
    public func bind<Argument, Result>(
        to binder: (Self) -> (Argument) -> Result, curriedArgument: Argument
    ) -> Result {
        binder(self)(curriedArgument)
    }

    // The compiler cannot tell the type of a closure literal for a sendable function from a generic `Argument`.
    /// What `binder` makes of this sequence and a sendable closure.
    @preconcurrency
    @_disfavoredOverload
    public func bind<each Input, Output, Result>(
        to binder: (Self) -> (@escaping @Sendable (repeat each Input) -> Output) -> Result,
        curriedArgument: @escaping @Sendable (repeat each Input) -> Output
    ) -> Result {
        binder(self)(curriedArgument)
    }

    /// Subscribes a closure. An error stops a debug build and is printed by a release build.
    @preconcurrency
    @inlinable
    public func bind(onNext: @escaping @Sendable (Element) -> Void) -> any Disposable {
        subscribe(onNext: onNext, onError: { bindingError($0) })
    }

    /// Subscribes a closure that takes `object`, which is held weakly: once it is gone the closure is no longer run. An
    /// error stops a debug build and is printed by a release build.
    @preconcurrency
    public func bind<Object: AnyObject>(
        with object: Object, onNext: @escaping @Sendable (Object, Element) -> Void
    ) -> any Disposable {
        let object = WeakObject(object)
        return bind(onNext: { element in
            if let object = object.value { onNext(object, element) }
        })
    }
}
