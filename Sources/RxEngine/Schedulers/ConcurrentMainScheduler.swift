import FoundationEssentials

/// A scheduler that runs actions on the main queue: at once if the caller is on it already, otherwise asynchronously.
///
/// Use it for subscribing. An action may overtake actions that are queued, so work that must stay in order needs
/// ``MainScheduler``.
public final class ConcurrentMainScheduler: SchedulerType {
    /// The type of time intervals, in seconds.
    public typealias TimeInterval = FoundationEssentials.TimeInterval
    /// The type of points in time.
    public typealias Time = Date

    /// The shared scheduler.
    public static let instance = ConcurrentMainScheduler(main: MainScheduler.asyncInstance)

    private let main: SerialDispatchQueueScheduler

    private init(main: SerialDispatchQueueScheduler) {
        self.main = main
    }

    /// The wall-clock time.
    public var now: RxTime { main.now }

    /// The time on the monotonic clock.
    public var elapsed: Duration { main.elapsed }

    /// Runs `action` at once if the caller is on the main queue, otherwise asynchronously on the main queue.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        guard MainQueue.isCurrent else { return main.schedule(state, action: action) }
        if BlockingWatch.isOn { return BlockingWatch.run(on: main.queue.label) { action(state) } }
        return action(state)
    }

    /// Runs `action` on the main queue once, after `dueTime`.
    ///
    /// - Complexity: O(log *n*) for *n* armed timers.
    @preconcurrency
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        main.scheduleRelative(state, dueTime: dueTime, action: action)
    }

    /// Runs `action` on the main queue after `startAfter` and then every `period`.
    ///
    /// - Complexity: O(log *n*) for each tick, with *n* armed timers.
    @preconcurrency
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        main.schedulePeriodic(state, startAfter: startAfter, period: period, action: action)
    }
}
