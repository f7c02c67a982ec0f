import FoundationEssentials

/// A scheduler whose time is that of a clock: of `ContinuousClock`, `SuspendingClock`, or one that a test moves.
///
/// ```swift
/// let scheduler = ClockScheduler(SuspendingClock())
/// searches.debounce(.milliseconds(300), scheduler: scheduler)
/// ```
///
/// A task sleeps on the clock until the earliest deadline. Due actions are then passed, in the order of their deadlines,
/// to the scheduler `target`, which runs them.
public final class ClockScheduler<Base: Clock>: SchedulerType where Base.Duration == Duration {
    private let timers: ClockTimers<Base>
    private let target: any ImmediateSchedulerType
    private let startTime: RxTime

    /// Creates a scheduler that runs actions when `clock` says so.
    ///
    /// - Parameters:
    ///   - clock: measures the time. Its `sleep` may throw only when the task is cancelled: no timer fires after another error.
    ///   - target: runs the actions; they are in order if it is serial. Default: an ``ExecutorScheduler`` on the threads
    ///     of Swift concurrency.
    ///   - startTime: the wall-clock time that ``now`` shows at first. Default: the current time.
    public init(
        _ clock: Base,
        target: any ImmediateSchedulerType = ExecutorScheduler(taskExecutor: globalConcurrentExecutor),
        startTime: RxTime = Date()
    ) {
        timers = ClockTimers(clock)
        self.target = target
        self.startTime = startTime
    }

    /// The wall-clock time at which the scheduler was made, plus the time that has passed on the clock since.
    public var now: RxTime { startTime.addingTimeInterval(elapsed.interval.seconds) }

    /// The time that has passed on the clock since the scheduler was made.
    public var elapsed: Duration { timers.elapsed }

    /// Runs `action` on the target as soon as possible.
    ///
    /// - Returns: A disposable that cancels the action, or disposes what it returned if it has run.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        target.schedule(state, action: action)
    }

    /// Runs `action` on the target once, when `dueTime` has passed on the clock.
    ///
    /// The action never runs if `dueTime` is `.never`.
    ///
    /// - Complexity: O(log *n*) for *n* armed timers.
    @preconcurrency
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        guard let delay = dueTime.nanoseconds else { return Disposables.create() }
        // Disposed itself, too: the timer may have passed it on already.
        let item = ScheduledItem(state, action)
        let timer = ScheduledItem(
            item,
            { [target] in
                target.schedule($0) {
                    $0.run()
                    return Disposables.create()
                }
            }, timers: timers)
        timers.arm(timer, after: delay)
        return Disposables.create(timer, item)
    }

    /// Runs `action` on the target after `startAfter` and then every `period`, counted from one due time to the next.
    ///
    /// A late run delays none after it. Ticks that fall due before the target has begun to run the action are merged
    /// into one, and so are those that fall due while it runs: runs do not overlap, also on a concurrent target.
    ///
    /// - Complexity: O(log *n*) for each tick, with *n* armed timers.
    @preconcurrency
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        guard let first = startAfter.nanoseconds else { return Disposables.create() }
        let repetition = PostedRepetition(on: target, state, action)
        let timer = PeriodicItem(
            (), { repetition.tick() }, every: period.nanoseconds ?? .max, timers: timers)
        timers.arm(timer, after: first)
        return Disposables.create(timer, repetition.scheduled)
    }
}
