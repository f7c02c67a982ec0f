/// The outcome of a sequence of any trait. A single never has `completed`, a completable never has `success`.
typealias Outcome<Element> = MaybeEvent<Element>

extension Observable {
    /// Creates an observable that emits the first outcome that `subscribe` passes to its closure, for each
    /// subscription.
    static func outcome(
        of subscribe: @escaping @Sendable (@escaping @Sendable (Outcome<Element>) -> Void) -> any Disposable
    ) -> Observable<Element> {
        .source(.create) { sink in
            let observer = OutcomeObserver(to: sink)
            observer.live.attach(subscribe(observer.deliver))
            return observer.live
        }
    }

    /// Subscribes `handler` to the outcome.
    func awaitOutcome(
        onDisposed: (@Sendable () -> Void)? = nil, _ handler: @escaping @Sendable (Outcome<Element>) -> Void
    ) -> any Disposable {
        let live = LiveSubscription()
        start(OutcomeSink(handler, live), live, onDisposed: onDisposed)
        return live
    }
}

// Unchecked: only the first call of `deliver` reaches the sink; `LiveSubscription.end` decides which that is.
/// The observer of a trait's `create`: delivers the outcome of the first call, on the thread of that call.
private final class OutcomeObserver<Element>: @unchecked Sendable {
    let live: LiveSubscription
    private let sink: Sink<Element>

    init(to sink: Sink<Element>) {
        live = LiveSubscription(into: sink)
        self.sink = sink
    }

    func deliver(_ outcome: Outcome<Element>) {
        let isFirst = live.end {
            switch outcome {
            case .success(let element):
                sink.next(element)
                if sink.live.isActive, !live.isDisposed { sink.completed() }
            case .error(let error): sink.error(error)
            case .completed: sink.completed()
            }
        }
        if !isFirst, case .error(let error) = outcome { Hooks.dropped(error: error) }
    }
}

/// The boundary sink of a trait's chain.
///
/// It delivers the element at once, and does not end the subscription with it: the source still completes, so that
/// operators on the way observe the completion.
private final class OutcomeSink<Element>: BoundarySink<Element> {
    private let handler: @Sendable (Outcome<Element>) -> Void
    private var isEmitted = false

    init(_ handler: @escaping @Sendable (Outcome<Element>) -> Void, _ live: LiveSubscription) {
        self.handler = handler
        super.init(live)
    }

    override func next(_ element: Element) {
        guard live.isActive, !isEmitted else { return }
        isEmitted = true
        handler(.success(element))
    }

    override func ended(_ end: Termination) {
        guard !isEmitted else { return }
        switch end {
        case .error(let error): handler(.error(error))
        case .completed: handler(.completed)
        }
    }
}

extension Hooks {
    /// Returns a handler that passes an error, with the call stack of this subscription, to the hook.
    static func reporter() -> @Sendable (any Error) -> Void {
        let callStack = callStack()
        return { defaultErrorHandler(callStack, $0) }
    }
}
