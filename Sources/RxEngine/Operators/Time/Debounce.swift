extension ObservableType {
    /// Each element that no other follows for `dueTime`, when that has gone by.
    ///
    ///     source         --1-2-3-----4----5-|
    ///     debounce(3)    ---------3-----4--5|
    ///
    /// They are told on `scheduler`. The source's completion brings what is waiting, an error drops it.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.debounce) { DebounceSink(to: $0, dueTime, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass; what waits is behind the lock.
/// Elements stay outside the gate, so that it is the timer alone which tells them.
@usableFromInline
final class DebounceSink<Element>: CountdownSink<Element, Element>, @unchecked Sendable {
    @exclusivity(unchecked) private var waiting = Room<Element>()

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
            waiting.exchange(&element)
            return countdown.restart(at: now)
        }
        arm(timer)
    }

    override func ranOut() {
        if downstream.live.isActive, let element = take(where: { $0.isOver }) { downstream.next(element) }
    }

    override func end(_ end: Termination) {
        let last = take { _ in true }
        if case .completed = end, let last, downstream.live.isActive { downstream.next(last) }
        if downstream.live.isActive { downstream.stop(with: end) }
    }

    /// What waits, where it may be told.
    private func take(where mayTell: (Countdown) -> Bool) -> Element? {
        lock.locked { !waiting.isEmpty && mayTell(countdown) ? waiting.take() : nil }
    }
}
