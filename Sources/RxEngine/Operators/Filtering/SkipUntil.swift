extension ObservableType {
    /// Drops elements until `other` emits one.
    ///
    ///     source                  --1--2--3--4--|
    ///     other                   ------x
    ///     skip(until: other)      --------3--4--|
    ///
    /// Subscribes to the source first. Completes with the source, if `other` has emitted an element. If the source
    /// completes before, the sequence never ends, as in RxSwift: both subscriptions are disposed, and nothing is
    /// emitted any more. Fails with the error of either, on its thread; completion of `other` has no effect.
    /// Elements and completion are delivered on the source's thread.
    public func skip(until other: some ObservableType) -> Observable<Element> {
        let source = asObservable()
        let other = other.asObservable()
        return .source(.skipUntil) { SkipUntilSink(to: $0).run(source, until: other) }
    }
}

/// The sink of a `skip(until:)`. The events of both sources pass a drain, which guards `isForwarding`.
///
/// It is a boundary, because it may not forward the completion of the source.
private final class SkipUntilSink<Element>: BoundarySink<Element>, TriggerTarget {
    private let ticket: ResourceTicket
    private let downstream: Sink<Element>
    private let trigger: LiveSubscription
    private let drain = SerializedDrain()
    @exclusivity(unchecked) private var isForwarding = false

    init(to downstream: Sink<Element>) {
        var downstream = downstream
        ticket = ResourceTicket(running: .skipUntil, into: &downstream)
        self.downstream = downstream
        trigger = LiveSubscription(in: ticket)
        super.init(LiveSubscription(in: ticket))
    }

    func run<Trigger>(_ source: Observable<Element>, until other: Observable<Trigger>) -> any Disposable {
        live.attach(source.run(self))
        if live.isActive { trigger.attach(other.run(TriggerSink(trigger, for: self))) }
        return TwoSubscriptions(first: live, second: trigger)
    }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        if drain.enter() {
            emit(element)
            drain.leave()
        } else {
            drain.post { self.emit(element) }
        }
    }

    private func emit(_ element: Element) {
        if isForwarding, downstream.live.isActive { downstream.next(element) }
        if !downstream.live.isActive { live.dispose() }
    }

    override func ended(_ end: Termination) {
        guard case .completed = end else { return fail(with: end) }
        serialize { [self] in
            if !isForwarding { trigger.dispose() } else if downstream.live.isActive { downstream.completed() }
        }
    }

    func triggered() {
        serialize { self.isForwarding = true }
    }

    func triggerFailed(_ error: any Error) {
        fail(with: .error(error))
    }

    private func fail(with end: Termination) {
        serialize { [downstream] in if downstream.live.isActive { downstream.terminate(with: end) } }
    }

    private func serialize(_ work: @escaping () -> Void) {
        if drain.enter() {
            work()
            drain.leave()
        } else {
            drain.post(work)
        }
    }
}
