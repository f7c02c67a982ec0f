extension ObservableType {
    /// Subscribes a closure to every event. An error that it ignores goes nowhere else.
    @preconcurrency
    @inlinable
    public func subscribe(_ on: @escaping @Sendable (Event<Element>) -> Void) -> any Disposable {
        subscribe(AnyObserver(eventHandler: on))
    }

    /// Subscribes closures to the events they name.
    ///
    /// - Parameters:
    ///   - onNext: takes each element.
    ///   - onError: takes the error. Without it an error goes to ``Hooks/defaultErrorHandler``.
    ///   - onCompleted: runs when the sequence ends without an error.
    ///   - onDisposed: runs exactly once, after the source has been freed: when the sequence ended or was disposed.
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

    /// Subscribes closures that get `object`, which is not kept alive: once it is gone they are not run any more. The
    /// subscription goes on.
    ///
    /// The parameters are those of ``ObservableType/subscribe(onNext:onError:onCompleted:onDisposed:)``.
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
            onNext: target.handing(to: onNext), onError: target.handing(to: onError),
            onCompleted: target.handing(to: onCompleted), onDisposed: target.handing(to: onDisposed))
    }
}

/// The last link of a chain whose events go to closures.
@usableFromInline
final class HandlersSink<Element>: Sink<Element> {
    private let onNext: (@Sendable (Element) -> Void)?
    private let onError: (@Sendable (any Error) -> Void)?
    private let onCompleted: (@Sendable () -> Void)?
    /// Where the subscription was made, for an error without a handler.
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
        end { if let onError { onError(error) } else { Hooks.defaultErrorHandler(callStack, error) } }
    }

    @usableFromInline
    override func completed() {
        end { onCompleted?() }
    }
}
