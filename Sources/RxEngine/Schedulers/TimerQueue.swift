import Dispatch

// Unchecked: `lock` guards all mutable state.
/// The timers of one dispatch scheduler, and one dispatch timer that is set to the earliest deadline.
///
/// Armed timers and their queue retain each other, so that a timer fires whether or not anything else retains it, such
/// as a subscription. Deadlines are on the monotonic clock.
final class TimerQueue: TimerOwner, @unchecked Sendable {
    /// How many due timers fire before other work on the dispatch queue gets to run.
    private static var batchSize: UInt32 { BatchLimit.maximumCount }
    /// The minimum sleep after firing. It equals the slack that Linux gives a thread's timers, so that timers with
    /// close deadlines share a wake-up.
    private static let minimumSleep: UInt64 = 50_000

    private let queue: DispatchQueue
    private let leeway: DispatchTimeInterval
    private let isConcurrent: Bool

    /// Created with the first timer.
    private var source: (any DispatchSourceTimer)?
    /// When the source is set to fire. It may be too early, because cancelling a timer does not set it again.
    private var wakeUpTime = UInt64.max
    private var isFiring = false

    /// Creates the timers of a scheduler.
    ///
    /// - Parameters:
    ///   - queue: the queue that runs the actions.
    ///   - leeway: how late the dispatch timer may fire.
    ///   - isConcurrent: whether actions may overlap, so that none delays another.
    init(_ queue: DispatchQueue, leeway: DispatchTimeInterval, isConcurrent: Bool) {
        self.queue = queue
        self.leeway = leeway
        self.isConcurrent = isConcurrent
    }

    deinit {
        source?.cancel()
    }

    /// The monotonic time in nanoseconds.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// The monotonic time as a duration, for ``SchedulerType/elapsed``.
    static var elapsed: Duration { .nanoseconds(Int64(clamping: now)) }

    /// Runs `action` on the queue once, after `delay`. The action never runs if `delay` is `.never`.
    func scheduleOnce<State>(
        _ state: State, after delay: DispatchTimeInterval, _ action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        guard let delay = delay.nanoseconds else { return Disposables.create() }
        let item = ScheduledItem(state, action, timers: self)
        arm(item, after: delay)
        return item
    }

    /// Runs `action` on the queue after `delay` and then every `period`, which is at least a nanosecond.
    func schedulePeriodic<State>(
        _ state: State, after delay: DispatchTimeInterval, every period: DispatchTimeInterval,
        _ action: @escaping @Sendable (State) -> State
    ) -> any Disposable {
        guard let first = delay.nanoseconds else { return Disposables.create() }
        guard let period = period.nanoseconds else {
            return scheduleOnce(state, after: delay) {
                _ = action($0)
                return Disposables.create()
            }
        }
        let item = PeriodicItem(state, action, every: period, timers: self)
        arm(item, after: first)
        return item
    }

    private func arm(_ timer: TimerItem, after delay: Int64) {
        let now = Self.now
        lock.locked { insert(timer, at: delay > 0 ? now + UInt64(delay) : now) }
    }

    /// Called under the lock.
    private func insert(_ timer: TimerItem, at deadline: UInt64) {
        let deadline = min(deadline, Self.latestDeadline)
        heap.insert(timer, at: deadline)
        // While timers fire, `fire()` sets the source when it is done.
        if !isFiring, deadline < wakeUpTime { setWakeUpTime(at: deadline) }
    }

    /// Called under the lock, so that two threads cannot set the source in the wrong order.
    private func setWakeUpTime(at time: UInt64) {
        wakeUpTime = time
        let deadline = DispatchTime(uptimeNanoseconds: time)
        if let source { return source.schedule(deadline: deadline, leeway: leeway) }
        let source = DispatchSource.makeTimerSource(flags: [], queue: queue)
        source.setEventHandler { [weak self] in self?.fire() }
        source.schedule(deadline: deadline, leeway: leeway)
        source.activate()
        self.source = source
    }

    /// Fires the due timers one after the other, so that each one can still cancel the next.
    private func fire() {
        let now = Self.now
        lock.locked {
            isFiring = true
            wakeUpTime = .max
        }
        for _ in 0..<Self.batchSize {
            guard let (timer, deadline) = lock.locked({ takeDue(by: now) }) else { break }
            if isConcurrent {
                queue.async { self.run(timer, due: deadline, at: now) }
            } else {
                run(timer, due: deadline, at: now)
            }
        }
        let end = Self.now
        lock.locked {
            isFiring = false
            guard let earliest = heap.earliest else { return }
            setWakeUpTime(at: earliest <= end ? earliest : max(earliest, end + Self.minimumSleep))
        }
    }

    /// Runs a timer, and arms it again if it is periodic.
    private func run(_ timer: TimerItem, due deadline: UInt64, at now: UInt64) {
        if BlockingWatch.isOn {
            BlockingWatch.run(on: queue.label, timer.fire)
        } else {
            timer.fire()
        }
        guard timer.period > 0 else { return }
        let next = Self.nextDeadline(of: timer, after: deadline, at: now)
        lock.locked {
            guard timer.isArmed else { return }
            insert(timer, at: next)
        }
    }
}
