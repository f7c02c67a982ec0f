/// What any of the traits comes to. A single never comes to `completed`, a completable never to `success`.
typealias Outcome<Element> = MaybeEvent<Element>

extension Observable {
    /// An observable whose every run tells the outcome that `subscribe` gives first, and nothing after it.
    static func outcome(
        of subscribe: @escaping @Sendable (@escaping @Sendable (Outcome<Element>) -> Void) -> any Disposable
    ) -> Observable<Element> {
        .source(.create) { sink in
            let answer = Answer(to: sink)
            answer.live.attach(subscribe(answer.give))
            return answer.live
        }
    }

    /// Starts a run whose outcome goes to `handler`.
    func awaitOutcome(
        onDisposed: (@Sendable () -> Void)? = nil, _ handler: @escaping @Sendable (Outcome<Element>) -> Void
    ) -> any Disposable {
        let live = LiveSubscription()
        start(OutcomeSink(handler, live), live, onDisposed: onDisposed)
        return live
    }
}

// Unchecked: only the first of its calls reaches the sink.
/// Takes the outcome of a trait's `create`, from whichever thread comes first.
private final class Answer<Element>: @unchecked Sendable {
    let live = LiveSubscription()
    private let sink: Sink<Element>

    init(to sink: Sink<Element>) {
        self.sink = sink
    }

    func give(_ outcome: Outcome<Element>) {
        guard live.end() else { return }
        switch outcome {
        case .success(let element):
            sink.next(element)
            if sink.live.isActive, !live.isDisposed { sink.completed() }
        case .error(let error): sink.error(error)
        case .completed: sink.completed()
        }
        live.dispose()
    }
}

/// The last link of a trait's chain. Its observer hears of the element at once; the source is left to come to its end,
/// so that what watches for that on the way sees it.
private final class OutcomeSink<Element>: Sink<Element> {
    private let handler: @Sendable (Outcome<Element>) -> Void
    private var isTold = false

    init(_ handler: @escaping @Sendable (Outcome<Element>) -> Void, _ live: LiveSubscription) {
        self.handler = handler
        super.init(live)
    }

    override func next(_ element: Element) {
        guard live.isActive, !isTold else { return }
        isTold = true
        handler(.success(element))
    }

    override func error(_ error: any Error) {
        finish(.error(error))
    }

    override func completed() {
        finish(.completed)
    }

    private func finish(_ outcome: Outcome<Element>) {
        guard live.end() else { return }
        if !isTold { handler(outcome) }
        live.dispose()
    }
}

extension Hooks {
    /// Takes an error that the subscription being made has no handler for to the hook.
    static func reporter() -> @Sendable (any Error) -> Void {
        let callStack = callStack()
        return { defaultErrorHandler(callStack, $0) }
    }
}
