import RxEngine

extension ObservableType {
    // Disfavored, so that a closure that matches no names of cases receives the engine's event.
    /// Subscribes a closure to events with their former names. Dropping the returned disposable cancels nothing.
    ///
    /// The closure is called on the source's thread.
    @_disfavoredOverload @discardableResult @preconcurrency
    public func subscribe(_ on: @escaping @Sendable (LegacyEvent<Element>) -> Void) -> any Disposable {
        subscribe { (event: Event<Element>) in on(LegacyEvent(event)) }
    }

    /// Subscribes a closure to elements. Dropping the returned disposable cancels nothing.
    ///
    /// The closure is called on the source's thread. An error goes to ``RxEngine/Hooks/defaultErrorHandler``.
    @discardableResult @preconcurrency
    public func subscribeNext(_ onNext: @escaping @Sendable (Element) -> Void) -> any Disposable {
        subscribe(onNext: onNext)
    }

    /// Subscribes a closure to the error. Dropping the returned disposable cancels nothing.
    ///
    /// The closure is called on the source's thread.
    @discardableResult @preconcurrency
    public func subscribeError(_ onError: @escaping @Sendable (any Error) -> Void) -> any Disposable {
        subscribe(onError: onError)
    }

    /// Subscribes a closure to completion. Dropping the returned disposable cancels nothing.
    ///
    /// The closure is called on the source's thread. An error goes to ``RxEngine/Hooks/defaultErrorHandler``.
    @discardableResult @preconcurrency
    public func subscribeCompleted(_ onCompleted: @escaping @Sendable () -> Void) -> any Disposable {
        subscribe(onCompleted: onCompleted)
    }

    /// Subscribes closures to events. Dropping the returned disposable cancels nothing.
    ///
    /// The closures are called on the source's thread.
    @discardableResult @preconcurrency
    public func subscribe(
        next: (@Sendable (Element) -> Void)? = nil, error: (@Sendable (any Error) -> Void)? = nil,
        completed: (@Sendable () -> Void)? = nil, disposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        subscribe(onNext: next, onError: error, onCompleted: completed, onDisposed: disposed)
    }
}
