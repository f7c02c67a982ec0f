// Unchecked: `lock` guards all mutable state.
/// The timers of a ``ClockScheduler``, and the task that sleeps until the earliest deadline.
///
/// Deadlines are nanoseconds since the timers were made. The sleeping task retains the timers, so that an armed timer
/// fires whether or not anything else retains it.
final class ClockTimers<Base: Clock>: TimerOwner, @unchecked Sendable where Base.Duration == Duration {
    /// The latest deadline, which a `Duration` of nanoseconds can still have. Libdispatch has an earlier one.
    private static var latest: UInt64 { UInt64(Int64.max) }

    private let clock: Base
    private let start: Base.Instant
    /// The task that sleeps until the earliest deadline or before, or that fires timers after that; `nil` if there is no
    /// timer.
    private var sleep: Sleep?

    init(_ clock: Base) {
        self.clock = clock
        start = clock.now
    }

    /// The time since the timers were made.
    var elapsed: Duration { start.duration(to: clock.now) }

    private var now: UInt64 { UInt64(max(0, elapsed.nanoseconds)) }

    func arm(_ timer: TimerItem, after delay: Int64) {
        insert(timer, at: now + UInt64(max(0, delay)))
    }

    private func insert(_ timer: TimerItem, at deadline: UInt64) {
        replaceSleep { heap.insert(timer, at: min(deadline, Self.latest)) }
    }

    override func cancel(_ timer: TimerItem) {
        var removed: TimerItem?
        replaceSleep { removed = disarm(timer) }
        withExtendedLifetime(removed) {}
    }

    /// Changes the heap, under the lock, and then replaces a sleep that would end too late, or ends one that waits for
    /// nothing.
    private func replaceSleep(_ change: () -> Void) {
        let (old, new) = lock.locked { () -> (Sleep?, Sleep?) in
            change()
            let old = sleep
            switch (heap.earliest, old?.deadline) {
            case (nil, _): sleep = nil
            case (let earliest?, let deadline?) where deadline <= earliest: return (nil, nil)
            case (let earliest?, _): sleep = Sleep(until: earliest)
            }
            return (old, sleep)
        }
        old?.task.dispose()
        new?.task.setDisposable(startTask(for: new))
    }

    private func startTask(for sleep: Sleep?) -> any Disposable {
        guard let sleep else { return Disposables.create() }
        let wakeUpTime = start.advanced(by: .nanoseconds(Int64(sleep.deadline)))
        let task = Task.detached { [clock] in
            // Cancelled: another sleep has replaced it, or no timer is armed.
            guard (try? await clock.sleep(until: wakeUpTime, tolerance: nil)) != nil else { return }
            self.fire(after: sleep)
        }
        return Disposables.create { task.cancel() }
    }

    /// Fires the due timers one after the other, so that each one can still cancel the next.
    private func fire(after ended: Sleep) {
        // The clock may round: what the task has slept for is due.
        let now = max(now, ended.deadline)
        while let (timer, deadline) = lock.locked({ sleep === ended ? takeDue(by: now) : nil }) {
            timer.fire()
            guard timer.period > 0 else { continue }
            let next = Self.nextDeadline(of: timer, after: deadline, at: now)
            lock.locked {
                if timer.isArmed { heap.insert(timer, at: min(next, Self.latest)) }
            }
        }
        replaceSleep { if sleep === ended { sleep = nil } }
    }

    /// A task that sleeps until a deadline.
    private final class Sleep: Sendable {
        let deadline: UInt64
        let task = SingleAssignmentDisposable()

        init(until deadline: UInt64) {
            self.deadline = deadline
        }
    }
}
