extension ObservableType {
    /// The same sequence, `dueTime` later: what was between its events still is.
    ///
    ///     source      --1-2---3-|
    ///     delay(3)    -----1-2---3-|
    ///
    /// An error is told at once, and what is waiting is dropped.
    @inlinable
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.delay) { DelaySink(to: $0, dueTime, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass.
@usableFromInline
final class DelaySink<Element>: TimedSink<Element, Element>, @unchecked Sendable {
    private let dueTime: RxTimeInterval
    private let batch: Int
    /// What is waiting, and when it came. The end is a time without an element.
    @exclusivity(unchecked) private var elements = Ring<Element>()
    @exclusivity(unchecked) private var times = Ring<Duration>()
    private var isArmed = false

    @usableFromInline
    init(to downstream: Sink<Element>, _ dueTime: RxTimeInterval, on scheduler: any SchedulerType) {
        self.dueTime = dueTime
        batch = scheduler.isDispatching ? 256 : 1
        super.init(.delay, to: downstream, on: scheduler)
    }

    override func take(_ element: Element) {
        guard downstream.live.isActive else { return }
        elements.append(element)
        arrived()
    }

    override func end(_ end: Termination) {
        guard downstream.live.isActive else { return }
        if case .completed = end { return arrived() }
        elements = Ring()
        times = Ring()
        downstream.stop(with: end)
    }

    private func arrived() {
        times.append(scheduler.elapsed)
        guard !isArmed else { return }
        isArmed = true
        wake(after: dueTime)
    }

    override func due() {
        for _ in 0..<batch {
            guard downstream.live.isActive, !times.isEmpty else { return }
            _ = times.removeFirst()
            if elements.isEmpty { return downstream.completed() }
            downstream.next(elements.removeFirst())
            isArmed = !times.isEmpty
            guard isArmed else { return }
            let left = dueTime.left(since: times.first, at: scheduler.elapsed)
            if !left.isOver { return wake(after: left) }
        }
        wake(after: .nanoseconds(0))
    }
}
