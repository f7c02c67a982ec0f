import Dispatch
import FoundationEssentials

// Unchecked: immutable, but for the atomic that its subclass adds.
/// A scheduler that runs actions on a serial dispatch queue, one at a time, in the order in which they were scheduled.
public class SerialDispatchQueueScheduler: SchedulerType, @unchecked Sendable {
    /// The type of time intervals, in seconds.
    public typealias TimeInterval = FoundationEssentials.TimeInterval
    /// The type of points in time.
    public typealias Time = Date

    let queue: DispatchQueue
    private let timers: TimerQueue

    init(serialQueue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        queue = serialQueue
        timers = TimerQueue(serialQueue, leeway: leeway, isConcurrent: false)
    }

    /// Creates a scheduler with a new serial queue, which `serialQueueConfiguration` may adjust.
    ///
    /// - Parameters:
    ///   - internalSerialQueueName: the label of the queue.
    ///   - serialQueueConfiguration: receives the queue before it is activated, for example to set its target.
    ///   - leeway: how late a timer may fire, so that the system can combine wake-ups. Default: none.
    public convenience init(
        internalSerialQueueName: String,
        serialQueueConfiguration: ((DispatchQueue) -> Void)? = nil,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        // Inactive, because setting the target of an active queue traps.
        let queue = DispatchQueue(label: internalSerialQueueName, attributes: .initiallyInactive)
        serialQueueConfiguration?(queue)
        queue.activate()
        self.init(serialQueue: queue, leeway: leeway)
    }

    /// Creates a scheduler with a new serial queue that runs on `queue`, which may be concurrent.
    ///
    /// - Parameters:
    ///   - queue: the target of the new queue.
    ///   - internalSerialQueueName: the label of the new queue.
    ///   - leeway: how late a timer may fire, so that the system can combine wake-ups. Default: none.
    public convenience init(
        queue: DispatchQueue, internalSerialQueueName: String, leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(
            internalSerialQueueName: internalSerialQueueName,
            serialQueueConfiguration: { $0.setTarget(queue: queue) },
            leeway: leeway
        )
    }

    /// Creates a scheduler with a new serial queue that runs on the global queue of `qos`.
    ///
    /// - Parameters:
    ///   - qos: the quality of service of the queue.
    ///   - internalSerialQueueName: the label of the queue. Default: `rx.serial`.
    ///   - leeway: how late a timer may fire, so that the system can combine wake-ups. Default: none.
    public convenience init(
        qos: DispatchQoS, internalSerialQueueName: String = "rx.serial",
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(
            queue: DispatchQueue.global(qos: qos.qosClass), internalSerialQueueName: internalSerialQueueName,
            leeway: leeway
        )
    }

    /// The wall-clock time.
    public var now: RxTime { Date() }

    /// The time on the monotonic clock.
    public var elapsed: Duration { TimerQueue.elapsed }

    /// Runs `action` on the queue, after all actions that were scheduled before it.
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
    /// A late run delays none after it. Ticks that fall due while the queue is busy are merged into one.
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
