extension InfallibleType {
    /// Subscribes a closure to every event.
    @preconcurrency
    public func subscribe(_ on: @escaping @Sendable (InfallibleEvent<Element>) -> Void) -> any Disposable {
        subscribe(onNext: { on(.next($0)) }, onCompleted: { on(.completed) })
    }

    /// Subscribes closures to the events they name.
    ///
    /// - Parameters:
    ///   - onNext: takes each element.
    ///   - onCompleted: runs when the sequence ends.
    ///   - onDisposed: runs exactly once, after the source has been freed: when the sequence ended or was disposed.
    @preconcurrency
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes closures that get `object`, which is not kept alive: once it is gone they are not run any more. The
    /// subscription goes on.
    @preconcurrency
    public func subscribe<Object: AnyObject>(
        with object: Object,
        onNext: (@Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        let target = WeakObject(object)
        return subscribe(
            onNext: target.handing(to: onNext), onCompleted: target.handing(to: onCompleted),
            onDisposed: target.handing(to: onDisposed))
    }
}
