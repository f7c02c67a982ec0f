extension ObservableType {
    /// Subscribes a closure to every event. An error that it ignores goes nowhere else.
    @preconcurrency
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
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        let handlers = Handlers(
            next: onNext, error: onError, completed: onCompleted,
            callStack: onError == nil ? Hooks.callStack() : []
        )
        return asObservable().start(onDisposed: onDisposed) { HandlersSink(handlers, $0) }
    }
}

private struct Handlers<Element> {
    let next: (@Sendable (Element) -> Void)?
    let error: (@Sendable (any Error) -> Void)?
    let completed: (@Sendable () -> Void)?
    /// Where the subscription was made, for an error without a handler.
    let callStack: [String]
}

/// The last link of a chain whose events go to closures.
private final class HandlersSink<Element>: Sink<Element> {
    private let handlers: Handlers<Element>

    init(_ handlers: Handlers<Element>, _ live: LiveSubscription) {
        self.handlers = handlers
        super.init(live)
    }

    override func next(_ element: Element) {
        if live.isActive { handlers.next?(element) }
    }

    override func error(_ error: any Error) {
        guard live.end() else { return }
        if let handler = handlers.error { handler(error) } else { Hooks.defaultErrorHandler(handlers.callStack, error) }
        live.dispose()
    }

    override func completed() {
        guard live.end() else { return }
        handlers.completed?()
        live.dispose()
    }
}
