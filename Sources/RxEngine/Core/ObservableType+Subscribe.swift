extension ObservableType {
    /// Subscribes a closure to every event.
    ///
    /// The sequence calls the closure on the thread that emits, one event at a time. The closure receives the error
    /// too; ``Hooks/defaultErrorHandler`` does not.
    ///
    /// - Parameter on: receives each event.
    /// - Returns: the disposable that cancels the run. Dropping it cancels nothing.
    @preconcurrency
    @inlinable
    public func subscribe(_ on: @escaping @Sendable (Event<Element>) -> Void) -> any Disposable {
        subscribe(AnyObserver(eventHandler: on))
    }

    /// Subscribes closures to elements, the error, completion and disposal.
    ///
    /// The sequence calls the closures on the thread that emits, one event at a time.
    ///
    ///     let subscription = sequence.subscribe(
    ///         onNext: { print($0) },
    ///         onError: { print("failed: \($0)") })
    ///
    /// - Parameters:
    ///   - onNext: receives each element.
    ///   - onError: receives the error. Without it, ``Hooks/defaultErrorHandler`` receives the error.
    ///   - onCompleted: runs when the sequence completes.
    ///   - onDisposed: runs exactly once, after the source was disposed, whether the sequence has ended or was
    ///     disposed.
    /// - Returns: the disposable that cancels the run. Dropping it cancels nothing.
    @preconcurrency
    @inlinable
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        let live = LiveSubscription()
        let sink = HandlersSink(
            live, next: onNext, error: onError, completed: onCompleted,
            callStack: onError == nil ? Hooks.callStack() : []
        )
        asObservable().start(sink, live, onDisposed: onDisposed)
        return live
    }

    /// Subscribes closures that receive `object`, which the subscription does not retain.
    ///
    /// After `object` has been deinitialized the closures do not run any more. The subscription itself continues. The
    /// sequence calls the closures on the thread that emits, one event at a time.
    ///
    /// - Parameters:
    ///   - object: is passed to the closures.
    ///   - onNext: receives each element.
    ///   - onError: receives the error. Without it, ``Hooks/defaultErrorHandler`` receives the error.
    ///   - onCompleted: runs when the sequence completes.
    ///   - onDisposed: runs exactly once, after the source was disposed, whether the sequence has ended or was
    ///     disposed.
    /// - Returns: the disposable that cancels the run. Dropping it cancels nothing.
    @preconcurrency
    public func subscribe<Object: AnyObject>(
        with object: Object,
        onNext: (@Sendable (Object, Element) -> Void)? = nil,
        onError: (@Sendable (Object, any Error) -> Void)? = nil,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        let target = WeakObject(object)
        return subscribe(
            onNext: target.passed(to: onNext), onError: target.passed(to: onError),
            onCompleted: target.passed(to: onCompleted), onDisposed: target.passed(to: onDisposed))
    }
}

/// The boundary sink that passes events to closures.
@usableFromInline
final class HandlersSink<Element>: Sink<Element> {
    private let onNext: (@Sendable (Element) -> Void)?
    private let onError: (@Sendable (any Error) -> Void)?
    private let onCompleted: (@Sendable () -> Void)?
    /// The call stack of the subscription, which ``Hooks/defaultErrorHandler`` receives with the error.
    private let callStack: [String]

    @usableFromInline
    init(
        _ live: LiveSubscription,
        next: (@Sendable (Element) -> Void)?, error: (@Sendable (any Error) -> Void)?,
        completed: (@Sendable () -> Void)?, callStack: [String]
    ) {
        onNext = next
        onError = error
        onCompleted = completed
        self.callStack = callStack
        super.init(live)
    }

    @usableFromInline
    override func next(_ element: Element) {
        if live.isActive { onNext?(element) }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        live.fail(error) {
            if let onError { onError(error) } else { Hooks.defaultErrorHandler(callStack, error) }
        }
    }

    @usableFromInline
    override func completed() {
        live.end { onCompleted?() }
    }
}
