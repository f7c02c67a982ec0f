extension ObservableType {
    /// The same sequence, `dueTime` later: what was between its events still is.
    ///
    ///     source      --1-2---3-|
    ///     delay(3)    -----1-2---3-|
    ///
    /// It is told on `scheduler`. An error is told at once, and what is waiting is dropped.
    @inlinable
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.delay) { DelaySink(to: $0, dueTime, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass; what comes is behind the lock.
/// Events stay outside the gate, but for the error, so that it is the timer alone which tells them.
@usableFromInline
final class DelaySink<Element>: TimedSink<Element, Element>, @unchecked Sendable {
    /// Elements, and when each came. The end is a time without an element.
    private struct Line: ~Copyable {
        var elements = Ring<Element>()
        var times = Ring<Duration>()
    }

    private let dueTime: RxTimeInterval
    private let batch: Int
    private let lock = Lock()
    /// What has come. Behind the lock.
    @exclusivity(unchecked) private var incoming = Line()
    /// Whether a timer is armed. Behind the lock.
    @exclusivity(unchecked) private var isArmed = false
    /// What came before. Inside the gate.
    @exclusivity(unchecked) private var outgoing = Line()

    @usableFromInline
    init(to downstream: Sink<Element>, _ dueTime: RxTimeInterval, on scheduler: any SchedulerType) {
        self.dueTime = dueTime
        batch = scheduler.isDispatching ? 256 : 1
        super.init(.delay, to: downstream, on: scheduler)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        arrived { incoming.elements.append(element) }
    }

    @usableFromInline
    override func completed() {
        guard live.end() else { return }
        arrived {}
        live.dispose()
    }

    override func end(_ end: Termination) {
        outgoing = Line()
        var dropped = Line()
        lock.locked { swap(&incoming, &dropped) }
        super.end(end)
    }

    private func arrived(_ keep: () -> Void) {
        let now = scheduler.elapsed
        let isFirst = lock.locked {
            keep()
            incoming.times.append(now)
            defer { isArmed = true }
            return !isArmed
        }
        if isFirst { wake(after: dueTime, 0) }
    }

    override func due(_ timer: UInt64) {
        guard downstream.live.isActive, isSomethingWaiting() else { return }
        for told in 1...batch {
            _ = outgoing.times.removeFirst()
            if outgoing.elements.isEmpty { return downstream.completed() }
            downstream.next(outgoing.elements.removeFirst())
            guard downstream.live.isActive, isSomethingWaiting() else { return }
            let left = dueTime.left(since: outgoing.times.first, at: scheduler.elapsed)
            guard left.isOver else { return wake(after: left, 0) }
            if told == batch { wake(after: .nanoseconds(0), 0) }
        }
    }

    /// Where all that came before is told, goes on with what has come since.
    private func isSomethingWaiting() -> Bool {
        guard outgoing.times.isEmpty else { return true }
        return lock.locked {
            swap(&incoming, &outgoing)
            isArmed = !outgoing.times.isEmpty
            return isArmed
        }
    }
}
