extension ObservableType {
    /// No more than one element in `dueTime`: the first at once and, unless `latest` is `false`, the last of those that
    /// came meanwhile when `dueTime` has gone by.
    ///
    ///     source                        --1-2-3---------4-5---|
    ///     throttle(4)                   --1---3---------4---5-|
    ///     throttle(4, latest: false)    --1-------------4-----|
    ///
    /// The time counts from when an element has been told, so that a slow observer gets it in full. The source's
    /// completion waits for the element that is waiting, an error drops it.
    @inlinable
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType
    ) -> Observable<Element> {
        let source = asObservable()
        return .source(.throttle) { ThrottleSink(to: $0, dueTime, latest: latest, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass.
@usableFromInline
final class ThrottleSink<Element>: TimedSink<Element, Element>, @unchecked Sendable {
    private let dueTime: RxTimeInterval
    private let isLatestTold: Bool
    private var lastTold: Duration?
    @exclusivity(unchecked) private var waiting = Room<Element>()
    private var hasCompleted = false
    /// The number of the timer that waits for the span's end.
    private var timer: UInt64 = 0

    @usableFromInline
    init(to downstream: Sink<Element>, _ dueTime: RxTimeInterval, latest: Bool, on scheduler: any SchedulerType) {
        self.dueTime = dueTime
        isLatestTold = latest
        super.init(.throttle, to: downstream, on: scheduler)
    }

    override func take(_ element: Element) {
        guard downstream.live.isActive else { return }
        let left = lastTold.map { dueTime.left(since: $0, at: scheduler.elapsed) }
        guard let left, !left.isOver else { return tell(element) }
        guard isLatestTold else { return }
        let isFirst = waiting.isEmpty
        waiting.put(element)
        guard isFirst else { return }
        timer += 1
        wake(after: left, timer)
    }

    private func tell(_ element: Element) {
        waiting.clear()
        downstream.next(element)
        lastTold = scheduler.elapsed
    }

    override func due(_ timer: UInt64) {
        guard timer == self.timer else { return }
        if downstream.live.isActive, !waiting.isEmpty { tell(waiting.take()) }
        if downstream.live.isActive, hasCompleted { downstream.completed() }
    }

    override func end(_ end: Termination) {
        guard downstream.live.isActive else { return }
        if case .completed = end, !waiting.isEmpty { return hasCompleted = true }
        waiting.clear()
        downstream.stop(with: end)
    }
}
