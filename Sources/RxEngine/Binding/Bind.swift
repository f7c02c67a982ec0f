extension ObservableType {
    /// Subscribes observers; each event goes to one after the other. Dropping the returned disposable cancels nothing.
    ///
    /// The observers receive completion and errors, too, and are called on the source's thread.
    public func bind<Observer: ObserverType<Element>>(to observers: Observer...) -> any Disposable {
        observers.count == 1 ? subscribe(observers[0]) : subscribe(BoundObservers(observers) { $0 })
    }

    /// Subscribes observers of optional elements; each event goes to one after the other.
    ///
    /// Dropping the returned disposable cancels nothing.
    /// The observers receive completion and errors, too, and are called on the source's thread.
    public func bind<Observer: ObserverType<Element?>>(to observers: Observer...) -> any Disposable {
        subscribe(BoundObservers(observers) { $0 })
    }

    /// Returns the result of `binder` for this sequence: a custom way to bind.
    ///
    /// `binder` is called once, at once; it subscribes and decides what happens to errors.
    public func bind<Result>(to binder: (Self) -> Result) -> Result {
        binder(self)
    }

    /// Returns the result of `binder` for this sequence and `curriedArgument`: a custom way to bind.
    ///
    ///     func rows(_ source: Observable<[Row]>) -> (@escaping (Row) -> String) -> any Disposable
    ///     source.bind(to: rows) { $0.title }
    ///
    /// `binder` and its result are called once, at once; they subscribe and decide what happens to errors.
    ///
    /// - Parameters:
    ///   - binder: binds the sequence, for a further argument.
    ///   - curriedArgument: the further argument.
    public func bind<Argument, Result>(
        to binder: (Self) -> (Argument) -> Result, curriedArgument: Argument
    ) -> Result {
        binder(self)(curriedArgument)
    }

    // The compiler cannot infer the type of a closure literal that is a sendable function from a generic `Argument`.
    /// Returns the result of `binder` for this sequence and a sendable closure.
    ///
    /// Otherwise the same as the overload for any other argument.
    ///
    /// - Parameters:
    ///   - binder: binds the sequence, for a closure.
    ///   - curriedArgument: the closure.
    @preconcurrency
    @_disfavoredOverload
    public func bind<each Input, Output, Result>(
        to binder: (Self) -> (@escaping @Sendable (repeat each Input) -> Output) -> Result,
        curriedArgument: @escaping @Sendable (repeat each Input) -> Output
    ) -> Result {
        binder(self)(curriedArgument)
    }

    /// Subscribes a closure to the elements.
    ///
    /// An error stops a debug build, and a release build prints it: catch errors before you bind. The closure is called
    /// on the source's thread. Dropping the returned disposable cancels nothing.
    /// Completion is ignored.
    @preconcurrency
    @inlinable
    public func bind(onNext: @escaping @Sendable (Element) -> Void) -> any Disposable {
        subscribe(onNext: onNext, onError: { bindingError($0) })
    }

    /// Subscribes a closure that receives `object`, which is not retained, and each element.
    ///
    /// After the object was deallocated the closure is not called any more. An error stops a debug build, and a release
    /// build prints it. Dropping the returned disposable cancels nothing.
    /// Completion is ignored.
    ///
    /// - Parameters:
    ///   - object: an object that the subscription does not retain.
    ///   - onNext: called on the source's thread.
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
