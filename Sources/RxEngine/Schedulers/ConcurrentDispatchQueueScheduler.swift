import Dispatch
import FoundationEssentials

/// A scheduler that runs actions on a dispatch queue, several at a time if the queue is concurrent.
///
/// Use it for work that may overlap, such as subscribing. Work that must stay in order needs a serial scheduler, such
/// as ``SerialDispatchQueueScheduler``.
public final class ConcurrentDispatchQueueScheduler: SchedulerType {
    /// The type of time intervals, in seconds.
    public typealias TimeInterval = FoundationEssentials.TimeInterval
    /// The type of points in time.
    public typealias Time = Date

    private let queue: DispatchQueue
    private let timers: TimerQueue

    /// Creates a scheduler that runs actions on `queue`.
    ///
    /// - Parameters:
    ///   - queue: the queue that runs the actions.
    ///   - leeway: how late a timer may fire, so that the system can combine wake-ups. Default: none.
    public init(queue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        self.queue = queue
        timers = TimerQueue(queue, leeway: leeway, isConcurrent: true)
    }

    /// Creates a scheduler with a new concurrent queue of the quality of service `qos`.
    ///
    /// - Parameters:
    ///   - qos: the quality of service of the queue.
    ///   - leeway: how late a timer may fire, so that the system can combine wake-ups. Default: none.
    public convenience init(qos: DispatchQoS, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        self.init(queue: DispatchQueue(label: "rx.concurrent", qos: qos, attributes: .concurrent), leeway: leeway)
    }

    /// The wall-clock time.
    public var now: RxTime { Date() }

    /// The time on the monotonic clock.
    public var elapsed: Duration { TimerQueue.elapsed }

    /// Runs `action` on the queue as soon as possible.
    ///
    /// - Returns: A disposable that cancels the action, or disposes what it returned if it has run.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let item = ScheduledItem(state, action)
        if BlockingWatch.isOn {
            queue.async { [queue] in BlockingWatch.run(on: queue.label, item.run) }
        } else {
            queue.async(execute: item.run)
        }
        return item
    }

    /// Runs `action` on the queue once, after `dueTime`. The action never runs if `dueTime` is `.never`.
    ///
    /// - Complexity: O(log *n*) for *n* armed timers.
    @preconcurrency
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        timers.scheduleOnce(state, after: dueTime, action)
    }

    /// Runs `action` on the queue after `startAfter` and then every `period`, counted from one due time to the next.
    ///
    /// Runs of one action never overlap: all ticks that fall due during a run are merged into one run that follows it.
    ///
    /// - Complexity: O(log *n*) for each tick, with *n* armed timers.
    @preconcurrency
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        timers.schedulePeriodic(state, after: startAfter, every: period, action)
    }
}
