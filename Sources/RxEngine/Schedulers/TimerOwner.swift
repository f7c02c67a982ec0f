// Unchecked: `lock` guards all mutable state.
/// The armed timers of a scheduler: a heap that any thread may change. A subclass fires the timers when they are due.
class TimerOwner: @unchecked Sendable {
    /// About seventy years. libdispatch reads later times as times of another clock.
    static let latestDeadline: UInt64 = 1 << 61

    final let lock = Lock()
    /// Guarded by the lock.
    @exclusivity(unchecked) final var heap = TimerHeap()

    /// Disarms a timer: it is no longer counted, and the heap no longer retains it.
    func cancel(_ timer: TimerItem) {
        let removed = lock.locked { disarm(timer) }
        withExtendedLifetime(removed) {}
    }

    /// Disarms a timer. Called under the lock.
    ///
    /// - Returns: the timer, which the caller releases outside of the lock.
    final func disarm(_ timer: TimerItem) -> TimerItem? {
        timer.ticket = nil
        return heap.remove(timer)
    }

    /// Removes a due timer, and disarms it unless it fires again. Called under the lock.
    final func takeDue(by now: UInt64) -> (timer: TimerItem, deadline: UInt64)? {
        guard let due = heap.removeFirst(dueBy: now) else { return nil }
        if due.timer.period == 0 { due.timer.ticket = nil }
        return due
    }

    /// When a periodic timer is due again: at the first multiple of its period after `now`. Missed ticks are merged
    /// into the run before it, and a late run delays none after it.
    static func nextDeadline(of timer: TimerItem, after deadline: UInt64, at now: UInt64) -> UInt64 {
        let missed = (now - deadline) / timer.period
        return deadline + (missed + 1) * timer.period
    }
}
