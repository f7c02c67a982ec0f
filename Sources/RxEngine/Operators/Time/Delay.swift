extension ObservableType {
    /// Delivers elements and completion `dueTime` later, and keeps the intervals between them.
    ///
    ///     source      --1-2---3-|
    ///     delay(3)    -----1-2---3-|
    ///
    /// The observer receives elements and completion on `scheduler`. An error is not delayed: it drops the pending
    /// elements and fails the result at once, on the thread on which the source fails. The number of pending elements
    /// has no bound.
    @inlinable
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.delay) { DelaySink(to: $0, dueTime, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass; the lock guards the incoming events.
/// Events other than the error stay outside the drain, so that only the timer emits them.
@usableFromInline
final class DelaySink<Element>: TimedSink<Element, Element>, @unchecked Sendable {
    /// Elements and the times at which they arrived. The completion is a time without an element.
    private struct TimedElements: ~Copyable {
        var elements = RingBuffer<Element>()
        var times = RingBuffer<Duration>()
    }

    private let dueTime: RxTimeInterval
    /// How many events one timer may emit.
    private let batchSize: Int
    private let lock = Lock()
    /// The events that have arrived since the last batch was fetched. Guarded by the lock.
    @exclusivity(unchecked) private var incoming = TimedElements()
    /// Whether a timer is armed. Guarded by the lock.
    @exclusivity(unchecked) private var isArmed = false
    /// The fetched batch of events. Used only inside the drain.
    @exclusivity(unchecked) private var outgoing = TimedElements()

    @usableFromInline
    init(to downstream: Sink<Element>, _ dueTime: RxTimeInterval, on scheduler: any SchedulerType) {
        self.dueTime = dueTime
        batchSize = scheduler.runsInRealTime ? Int(BatchLimit.maximumCount) : 1
        super.init(.delay, to: downstream, on: scheduler)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        enqueue { incoming.elements.append(element) }
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        if case .completed = end { enqueue {} } else { super.ended(end) }
    }

    override func end(_ end: Termination) {
        outgoing = TimedElements()
        var dropped = TimedElements()
        lock.locked { swap(&incoming, &dropped) }
        super.end(end)
    }

    /// Stores an event, and arms the timer if it is the first.
    private func enqueue(_ append: () -> Void) {
        let now = scheduler.elapsed
        let isFirst = lock.locked {
            append()
            incoming.times.append(now)
            defer { isArmed = true }
            return !isArmed
        }
        if isFirst { startTimer(after: dueTime, generation: 0) }
    }

    override func handleTimer(_ generation: UInt64) {
        guard downstream.live.isActive, fetchIfEmpty() else { return }
        for emitted in 1...batchSize {
            _ = outgoing.times.removeFirst()
            if outgoing.elements.isEmpty { return downstream.completed() }
            downstream.next(outgoing.elements.removeFirst())
            guard downstream.live.isActive, fetchIfEmpty() else { return }
            let remaining = dueTime.remaining(since: outgoing.times.first, at: scheduler.elapsed)
            guard remaining.hasPassed else { return startTimer(after: remaining, generation: 0) }
            if emitted == batchSize { startTimer(after: .nanoseconds(0), generation: 0) }
        }
    }

    /// Fetches the incoming events if the current batch is empty.
    ///
    /// - Returns: whether there is an event to emit. If there is none, no timer is armed.
    private func fetchIfEmpty() -> Bool {
        guard outgoing.times.isEmpty else { return true }
        return lock.locked {
            swap(&incoming, &outgoing)
            isArmed = !outgoing.times.isEmpty
            return isArmed
        }
    }
}
