import Dispatch
import FoundationEssentials

/// Runs actions on a dispatch queue that may run several at a time.
///
/// Use it for work that may overlap, such as subscribing. What must stay in order needs a serial scheduler.
public final class ConcurrentDispatchQueueScheduler: SchedulerType {
    /// The type of spans of time in seconds.
    public typealias TimeInterval = FoundationEssentials.TimeInterval
    /// The type of points of time.
    public typealias Time = Date

    private let queue: DispatchQueue
    private let timers: TimerQueue

    /// A scheduler that runs actions on `queue`.
    public init(queue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        self.queue = queue
        timers = TimerQueue(queue, leeway: leeway, isConcurrent: true)
    }

    /// A scheduler with a new concurrent queue of that quality of service.
    public convenience init(qos: DispatchQoS, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        self.init(queue: DispatchQueue(label: "rx.concurrent", qos: qos, attributes: .concurrent), leeway: leeway)
    }

    /// The wall-clock time.
    public var now: RxTime { Date() }

    /// The time on the monotonic clock.
    public var elapsed: Duration { TimerQueue.elapsed }

    /// Runs `action` on the queue.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let item = ScheduledItem(state, action)
        queue.async(execute: item.run)
        return item
    }

    /// Runs `action` on the queue once, after `dueTime`.
    @preconcurrency
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        timers.once(state, after: dueTime, action)
    }

    /// Runs `action` on the queue after `startAfter` and then every `period`, counted from one due time to the next.
    /// Its own runs never overlap: ticks that fall due during one are merged into one that follows it.
    @preconcurrency
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        timers.periodically(state, after: startAfter, every: period, action)
    }
}
