import Dispatch
import FoundationEssentials

// Unchecked: immutable, but for what its subclass says.
/// Runs actions on a serial dispatch queue, one at a time, in the order scheduled.
public class SerialDispatchQueueScheduler: SchedulerType, @unchecked Sendable {
    /// The type of spans of time in seconds.
    public typealias TimeInterval = FoundationEssentials.TimeInterval
    /// The type of points of time.
    public typealias Time = Date

    let queue: DispatchQueue
    private let timers: TimerQueue

    init(serialQueue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        queue = serialQueue
        timers = TimerQueue(serialQueue, leeway: leeway, isConcurrent: false)
    }

    /// A scheduler with a new serial queue of its own, which `serialQueueConfiguration` may adjust.
    public convenience init(
        internalSerialQueueName: String,
        serialQueueConfiguration: ((DispatchQueue) -> Void)? = nil,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        // An active queue traps when its target is set.
        let queue = DispatchQueue(label: internalSerialQueueName, attributes: .initiallyInactive)
        serialQueueConfiguration?(queue)
        queue.activate()
        self.init(serialQueue: queue, leeway: leeway)
    }

    /// A scheduler with a new serial queue that runs on `queue`, which may be concurrent.
    public convenience init(
        queue: DispatchQueue, internalSerialQueueName: String, leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(
            internalSerialQueueName: internalSerialQueueName,
            serialQueueConfiguration: { $0.setTarget(queue: queue) },
            leeway: leeway
        )
    }

    /// A scheduler with a new serial queue that runs on the global queue of `qos`.
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

    /// Runs `action` on the queue, after everything scheduled before it.
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

    /// Runs `action` on the queue after `startAfter` and then every `period`, counted from one due time to the next,
    /// however late a run comes. Ticks that fall due while the queue is busy are merged into one.
    @preconcurrency
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        timers.periodically(state, after: startAfter, every: period, action)
    }
}
