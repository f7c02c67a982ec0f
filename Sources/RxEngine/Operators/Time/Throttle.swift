extension ObservableType {
    /// Emits at most one element per `dueTime`: the first at once and, by default, the latest at the end.
    ///
    ///     source                        --1-2-3---------4-5---|
    ///     throttle(4)                   --1---3---------4---5-|
    ///     throttle(4, latest: false)    --1-------------4-----|
    ///
    /// An interval starts when the observer has returned from an element, so that a slow observer gets the full
    /// interval between two elements. The observer receives the first element on the thread on which the source emits
    /// it, and the latest element on `scheduler`.
    ///
    /// If an element is pending when the source completes, the result completes right after it. An error drops the
    /// pending element and fails the result at once.
    /// The end is delivered by the thread that ends the source, or by `scheduler` if it follows a pending element.
    ///
    /// - Parameters:
    ///   - dueTime: the interval.
    ///   - latest: whether the latest element that arrives within an interval is emitted at its end. If `false`, all
    ///     elements that arrive within an interval are dropped.
    ///   - scheduler: measures the interval and emits the latest element.
    @inlinable
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType
    ) -> Observable<Element> {
        let source = asObservable()
        return .source(.throttle) { ThrottleSink(to: $0, dueTime, latest: latest, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass.
/// Emits an element directly or stores it until the interval ends.
@usableFromInline
final class ThrottleSink<Element>: TimedSink<Element, Element>, @unchecked Sendable {
    private let dueTime: RxTimeInterval
    private let emitsLatest: Bool
    @exclusivity(unchecked) private var lastEmitted: Duration?
    @exclusivity(unchecked) private var pending = ElementBox<Element>()
    @exclusivity(unchecked) private var hasCompleted = false
    /// The generation of the timer that fires at the end of the interval.
    @exclusivity(unchecked) private var generation: UInt64 = 0

    @usableFromInline
    init(to downstream: Sink<Element>, _ dueTime: RxTimeInterval, latest: Bool, on scheduler: any SchedulerType) {
        self.dueTime = dueTime
        emitsLatest = latest
        super.init(.throttle, to: downstream, on: scheduler)
    }

    override func receive(_ element: Element) {
        guard downstream.live.isActive else { return }
        let remaining = lastEmitted.map { dueTime.remaining(since: $0, at: scheduler.elapsed) }
        guard let remaining, !remaining.hasPassed else { return emit(element) }
        guard emitsLatest else { return }
        let isFirst = pending.isEmpty
        pending.store(element)
        guard isFirst else { return }
        generation += 1
        startTimer(after: remaining, generation: generation)
    }

    private func emit(_ element: Element) {
        pending.clear()
        downstream.next(element)
        lastEmitted = scheduler.elapsed
    }

    override func handleTimer(_ generation: UInt64) {
        guard generation == self.generation else { return }
        if downstream.live.isActive, !pending.isEmpty { emit(pending.take()) }
        if downstream.live.isActive, hasCompleted { downstream.completed() }
    }

    override func end(_ end: Termination) {
        guard downstream.live.isActive else { return }
        if case .completed = end, !pending.isEmpty { return hasCompleted = true }
        pending.clear()
        downstream.terminate(with: end)
    }
}
