extension ObservableType {
    /// Lets elements through until `other` tells its first; that ends the sequence.
    ///
    ///     source                  --1--2--3--4--|
    ///     other                   --------x
    ///     take(until: other)      --1--2--|
    ///
    /// `other` is subscribed to first. An error of it ends the sequence; an end of it without an element means nothing.
    public func take<Source: ObservableType>(until other: Source) -> Observable<Element> {
        let source = asObservable()
        let other = other.asObservable()
        return .source(.takeUntil) { TakeUntilSink(to: $0).run(source, until: other) }
    }
}

/// What comes from the two sources passes a gate, so that downstream hears one event after the other.
private final class TakeUntilSink<Element>: OperatorSink<Element, Element>, TriggerTarget {
    private let gate = Gate()

    override init(to downstream: Sink<Element>) {
        super.init(.takeUntil, to: downstream)
    }

    func run<Trigger>(_ source: Observable<Element>, until other: Observable<Trigger>) -> any Disposable {
        let trigger = LiveSubscription()
        trigger.attach(other.run(TriggerSink(trigger, for: self)))
        // It may have fired already.
        guard live.isActive else { return trigger }
        let run = LiveSubscription()
        run.attach(source.run(self))
        return TwoSubscriptions(first: trigger, second: run)
    }

    override func next(_ element: Element) {
        if gate.enter() {
            tell(element)
            gate.leave()
        } else {
            gate.post { self.tell(element) }
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
        if gate.enter() {
            tell(end)
            gate.leave()
        } else {
            gate.post { self.tell(end) }
        }
    }

    private func tell(_ element: Element) {
        if live.isActive { downstream.next(element) }
    }

    private func tell(_ end: Termination) {
        if live.isActive { downstream.stop(with: end) }
    }
}
