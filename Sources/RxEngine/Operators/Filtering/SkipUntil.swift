extension ObservableType {
    /// Leaves elements out until `other` tells its first.
    ///
    ///     source                  --1--2--3--4--|
    ///     other                   ------x
    ///     skip(until: other)      --------3--4--|
    ///
    /// The source is subscribed to first. An error of either ends the sequence. The source's end before `other` has
    /// told an element ends nothing, as in RxSwift: both are freed, and nothing is told any more.
    public func skip<Source: ObservableType>(until other: Source) -> Observable<Element> {
        let source = asObservable()
        let other = other.asObservable()
        return .source(.skipUntil) { SkipUntilSink(to: $0).run(source, until: other) }
    }
}

/// What comes from the two sources passes a gate, inside which it is known whether elements are let through.
///
/// It is a boundary, since it may keep the source's end to itself.
private final class SkipUntilSink<Element>: Sink<Element>, TriggerTarget {
    private let ticket = ResourceTicket(running: .skipUntil)
    private let downstream: Sink<Element>
    private let trigger = LiveSubscription()
    private let gate = Gate()
    @exclusivity(unchecked) private var isOpen = false

    init(to downstream: Sink<Element>) {
        self.downstream = downstream
        super.init(LiveSubscription())
    }

    func run<Trigger>(_ source: Observable<Element>, until other: Observable<Trigger>) -> any Disposable {
        live.attach(source.run(self))
        if live.isActive { trigger.attach(other.run(TriggerSink(trigger, for: self))) }
        return TwoSubscriptions(first: live, second: trigger)
    }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        if gate.enter() {
            tell(element)
            gate.leave()
        } else {
            gate.post { self.tell(element) }
        }
    }

    private func tell(_ element: Element) {
        if isOpen, downstream.live.isActive { downstream.next(element) }
        if !downstream.live.isActive { live.dispose() }
    }

    override func error(_ error: any Error) {
        guard live.end() else { return }
        fail(with: error)
        live.dispose()
    }

    override func completed() {
        guard live.end() else { return }
        inside { [self] in
            if !isOpen { trigger.dispose() } else if downstream.live.isActive { downstream.completed() }
        }
        live.dispose()
    }

    func triggered() {
        inside { self.isOpen = true }
    }

    func triggerFailed(_ error: any Error) {
        fail(with: error)
    }

    private func fail(with error: any Error) {
        inside { [downstream] in if downstream.live.isActive { downstream.error(error) } }
    }

    private func inside(_ work: @escaping () -> Void) {
        if gate.enter() {
            work()
            gate.leave()
        } else {
            gate.post(work)
        }
    }
}
