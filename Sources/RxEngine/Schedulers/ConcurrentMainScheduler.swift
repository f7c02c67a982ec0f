import FoundationEssentials

/// Runs actions on the main queue: at once where the caller is on it already, otherwise later.
///
/// For subscribing. Since an action may overtake those that wait, nothing that must stay in order belongs here: that is
/// what ``MainScheduler`` is for.
public final class ConcurrentMainScheduler: SchedulerType {
    /// The type of spans of time in seconds.
    public typealias TimeInterval = FoundationEssentials.TimeInterval
    /// The type of points of time.
    public typealias Time = Date

    /// The scheduler.
    public static let instance = ConcurrentMainScheduler(main: MainScheduler.asyncInstance)

    private let main: SerialDispatchQueueScheduler

    private init(main: SerialDispatchQueueScheduler) {
        self.main = main
    }

    /// The wall-clock time.
    public var now: RxTime { main.now }

    /// The time on the monotonic clock.
    public var elapsed: Duration { main.elapsed }

    /// Runs `action` at once or, off the main queue, later.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        guard MainQueue.isCurrent else { return main.schedule(state, action: action) }
        return action(state)
    }

    /// Runs `action` on the main queue once, after `dueTime`.
    @preconcurrency
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        main.scheduleRelative(state, dueTime: dueTime, action: action)
    }

    /// Runs `action` on the main queue after `startAfter` and then every `period`.
    @preconcurrency
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        main.schedulePeriodic(state, startAfter: startAfter, period: period, action: action)
    }
}
