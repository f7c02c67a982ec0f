extension ObservableType {
    /// Emits an element only if no other element follows it for `dueTime`, when that time has passed.
    ///
    ///     source         --1-2-3-----4----5-|
    ///     debounce(3)    ---------3-----4--5|
    ///
    /// When the source completes, the pending element is emitted at once and the result completes. An error drops the
    /// pending element and fails the result at once. The observer receives elements on `scheduler`, and the end, with
    /// the last element before it, on the thread on which the source ends.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.debounce) { DebounceSink(to: $0, dueTime, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass; the lock guards the pending element.
/// Elements are stored outside the drain, so that only the timer and the end of the source emit them.
@usableFromInline
final class DebounceSink<Element>: CountdownSink<Element, Element>, @unchecked Sendable {
    @exclusivity(unchecked) private var pending = ElementBox<Element>()

    @usableFromInline
    init(to downstream: Sink<Element>, _ dueTime: RxTimeInterval, on scheduler: any SchedulerType) {
        super.init(.debounce, to: downstream, span: dueTime, on: scheduler)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        var element = element
        let now = scheduler.elapsed
        let timer = lock.locked {
            pending.exchange(&element)
            return countdown.restart(at: now)
        }
        arm(timer)
    }

    override func spanExpired() {
        if downstream.live.isActive, let element = takePending(where: { $0.hasExpired }) { downstream.next(element) }
    }

    override func end(_ end: Termination) {
        let last = takePending { _ in true }
        if case .completed = end, let last, downstream.live.isActive { downstream.next(last) }
        if downstream.live.isActive { downstream.terminate(with: end) }
    }

    /// Takes the pending element, if there is one and the countdown satisfies `condition`.
    private func takePending(where condition: (Countdown) -> Bool) -> Element? {
        lock.locked { !pending.isEmpty && condition(countdown) ? pending.take() : nil }
    }
}
