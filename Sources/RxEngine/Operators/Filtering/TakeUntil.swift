extension ObservableType {
    /// Emits elements until `other` emits one, and then completes.
    ///
    ///     source                  --1--2--3--4--|
    ///     other                   --------x
    ///     take(until: other)      --1--2--|
    ///
    /// Subscribes to `other` first. Completes when the source completes or `other` emits an element; completion of
    /// `other` has no effect. Fails with the error of either. The thread of `other` delivers the completion or error
    /// that it causes.
    /// The source's thread delivers everything else.
    public func take(until other: some ObservableType) -> Observable<Element> {
        let source = asObservable()
        let other = other.asObservable()
        return .source(.takeUntil) { TakeUntilSink(to: $0).run(source, until: other) }
    }
}

/// The sink of a `take(until:)`. The events of both sources pass a drain, so that downstream receives one at a time.
private final class TakeUntilSink<Element>: OperatorSink<Element, Element>, TriggerTarget {
    private let drain = SerializedDrain()

    override init(to downstream: Sink<Element>) {
        super.init(.takeUntil, to: downstream)
    }

    func run<Trigger>(_ source: Observable<Element>, until other: Observable<Trigger>) -> any Disposable {
        let trigger = LiveSubscription(into: self)
        trigger.attach(other.run(TriggerSink(trigger, for: self)))
        // `other` may already have emitted an element or failed.
        guard live.isActive else { return trigger }
        let run = LiveSubscription(into: self)
        run.attach(source.run(self))
        return TwoSubscriptions(first: trigger, second: run)
    }

    override func next(_ element: Element) {
        if drain.enter() {
            emit(element)
            drain.leave()
        } else {
            drain.post { self.emit(element) }
        }
    }

    override func error(_ error: any Error) {
        finish(with: .error(error))
    }

    override func completed() {
        finish(with: .completed)
    }

    func triggered() {
        finish(with: .completed)
    }

    func triggerFailed(_ error: any Error) {
        finish(with: .error(error))
    }

    private func finish(with end: Termination) {
        if drain.enter() {
            emit(end)
            drain.leave()
        } else {
            drain.post { self.emit(end) }
        }
    }

    private func emit(_ element: Element) {
        if live.isActive { downstream.next(element) }
    }

    private func emit(_ end: Termination) {
        if live.isActive { downstream.terminate(with: end) } else { Hooks.dropped(end) }
    }
}
