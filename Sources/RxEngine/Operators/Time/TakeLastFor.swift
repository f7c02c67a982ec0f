extension ObservableType {
    /// Emits, when the source completes, the elements of the last `duration` before that.
    ///
    ///     source             --1--2--3--4--|
    ///     takeLast(for: 6)   --------------34|
    ///
    /// An element that is exactly `duration` old is among them. Completes after them. Fails with the source's error and
    /// drops the elements.
    /// The thread that completes the source delivers them; `scheduler` only measures the time.
    ///
    /// - Complexity: Holds the elements of the last `duration`, without bound.
    @inlinable
    public func takeLast(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        asObservable().lift(.takeLast) { TakeLastForSink(to: $0, duration, on: scheduler) }
    }
}

@usableFromInline
final class TakeLastForSink<Element>: OperatorSink<Element, Element> {
    private let duration: RxTimeInterval
    private let scheduler: any SchedulerType
    /// The elements, and when each has arrived.
    @exclusivity(unchecked) private var elements = RingBuffer<Element>()
    @exclusivity(unchecked) private var arrivals = RingBuffer<Duration>()

    @usableFromInline
    init(to downstream: Sink<Element>, _ duration: RxTimeInterval, on scheduler: any SchedulerType) {
        self.duration = duration
        self.scheduler = scheduler
        super.init(.takeLast, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        let now = scheduler.elapsed
        elements.append(element)
        arrivals.append(now)
        dropOld(at: now)
    }

    @usableFromInline
    override func completed() {
        dropOld(at: scheduler.elapsed)
        while live.isActive, !elements.isEmpty { downstream.next(elements.removeFirst()) }
        if live.isActive { downstream.completed() }
    }

    private func dropOld(at now: Duration) {
        while !arrivals.isEmpty, let rest = duration.remaining(since: arrivals.first, at: now).nanoseconds, rest < 0 {
            _ = arrivals.removeFirst()
            _ = elements.removeFirst()
        }
    }
}
