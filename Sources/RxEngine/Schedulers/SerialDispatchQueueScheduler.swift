import Dispatch
import FoundationEssentials

/// Runs actions on a serial dispatch queue, one at a time, in the order scheduled.
public final class SerialDispatchQueueScheduler: SchedulerType {
    private let queue: DispatchQueue
    private let leeway: DispatchTimeInterval

    /// A scheduler with a new serial queue of its own, which `serialQueueConfiguration` may adjust.
    public init(
        internalSerialQueueName: String,
        serialQueueConfiguration: ((DispatchQueue) -> Void)? = nil,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        // An active queue traps when its target is set.
        queue = DispatchQueue(label: internalSerialQueueName, attributes: .initiallyInactive)
        self.leeway = leeway
        serialQueueConfiguration?(queue)
        queue.activate()
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
    public var elapsed: Duration {
        .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }

    /// Runs `action` on the queue, after everything scheduled before it.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let item = ScheduledItem(state, action)
        queue.async { item.run() }
        return item
    }

    /// Runs `action` on the queue once, after `dueTime`.
    @preconcurrency
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let item = ScheduledItem(state, action)
        let timer = DispatchTimer(on: queue) { timer in
            timer.disarm()
            item.run()
        }
        timer.arm(after: dueTime, repeating: .never, leeway: leeway)
        return Disposables.create(timer, item)
    }

    /// Runs `action` on the queue after `startAfter` and then every `period`. Ticks that fall due while the queue is
    /// busy are merged into one.
    @preconcurrency
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        let threaded = ThreadedState(state, action)
        let timer = DispatchTimer(on: queue) { _ in threaded.step() }
        timer.arm(after: startAfter, repeating: period, leeway: leeway)
        return timer
    }
}

// Unchecked: touched only by the actions of one serial queue.
/// The state that a periodic action hands from one run to the next.
private final class ThreadedState<State>: @unchecked Sendable {
    private var state: State
    private let action: @Sendable (State) -> State

    init(_ state: State, _ action: @escaping @Sendable (State) -> State) {
        self.state = state
        self.action = action
    }

    func step() {
        state = action(state)
    }
}
