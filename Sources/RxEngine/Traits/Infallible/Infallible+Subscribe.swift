extension InfallibleType {
    /// Subscribes a closure to every event; it runs on the thread that delivers the event.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func subscribe(_ on: @escaping @Sendable (InfallibleEvent<Element>) -> Void) -> any Disposable {
        subscribe(onNext: { on(.next($0)) }, onCompleted: { on(.completed) })
    }

    /// Subscribes a closure for each kind of event; they run on the thread that delivers it.
    ///
    /// - Parameters:
    ///   - onNext: takes each element.
    ///   - onCompleted: runs when the sequence completes.
    ///   - onDisposed: runs exactly once, after the source was disposed: when the sequence ended or was disposed.
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes closures that take `object`, which is not retained.
    ///
    /// The closures no longer run once the object is deallocated; the subscription stays. They run on the thread that
    /// delivers the event.
    ///
    /// - Parameters:
    ///   - object: the first argument of each closure.
    ///   - onNext: takes each element.
    ///   - onCompleted: runs when the sequence completes.
    ///   - onDisposed: runs at most once, after the source was disposed: when the sequence ended or was disposed.
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func subscribe<Object: AnyObject>(
        with object: Object,
        onNext: (@Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        let target = WeakObject(object)
        return subscribe(
            onNext: target.passed(to: onNext), onCompleted: target.passed(to: onCompleted),
            onDisposed: target.passed(to: onDisposed))
    }
}
