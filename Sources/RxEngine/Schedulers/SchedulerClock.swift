/// A clock whose time is that of a scheduler.
///
/// ```swift
/// let scheduler = TestScheduler(initialClock: 0)
/// let clock = scheduler.asClock()
/// Task(executorPreference: scheduler.asExecutor()) {
///     try await Task.sleep(for: .seconds(10), clock: clock)
///     print("10 seconds of virtual time later")
/// }
/// scheduler.start()
/// ```
///
/// The time of a virtual-time scheduler is rounded to its units. Any thread may read the clock and sleep on it, but the
/// scheduler itself is for the thread that made it: move its clock in a function that is not `async`. It does not wait
/// for tasks that have yet to begin to sleep: run them on the scheduler, as above, or the clock may move before.
public struct SchedulerClock: Clock {
    /// A point in the time of a scheduler.
    public struct Instant: InstantProtocol {
        /// The scheduler's ``SchedulerType/elapsed`` at this point.
        public let elapsed: Duration

        /// Returns the point that is `duration` later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(elapsed: elapsed + duration)
        }

        /// Returns the time from this point to another one.
        public func duration(to other: Instant) -> Duration {
            other.elapsed - elapsed
        }

        /// Whether one point is before another one.
        public static func < (lhs: Instant, rhs: Instant) -> Bool {
            lhs.elapsed < rhs.elapsed
        }
    }

    private let scheduler: any SchedulerType

    fileprivate init(_ scheduler: any SchedulerType) {
        self.scheduler = scheduler.anyThreadScheduler ?? scheduler
    }

    /// The scheduler's current time.
    public var now: Instant { Instant(elapsed: scheduler.elapsed) }

    /// The unit in which schedulers take intervals: a nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until `deadline`, or throws `CancellationError` as soon as the task is cancelled.
    ///
    /// An action of the scheduler resumes the task, which continues on its own executor. Cancelling removes the action.
    ///
    /// - Parameters:
    ///   - deadline: when to continue.
    ///   - tolerance: ignored; the leeway of the scheduler applies.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let remaining = now.duration(to: deadline)
        guard remaining > .zero else { return try Task.checkCancellation() }
        let timer =
            (scheduler as? AnyThreadScheduler)?.timer(at: deadline.elapsed)
            ?? Observable<Int>.timer(remaining.interval, scheduler: scheduler)
        _ = try await timer.awaitedOutcome()
    }
}

extension SchedulerType {
    /// Returns a clock that shows the time of this scheduler.
    ///
    /// It is for `Task.sleep(for:clock:)` and other code that takes a clock.
    public func asClock() -> SchedulerClock {
        SchedulerClock(self)
    }
}
