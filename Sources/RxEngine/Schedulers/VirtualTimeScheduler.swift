import FoundationEssentials
import Glibc

// Unchecked: every entry traps off the thread that made the scheduler.
/// Runs actions in the order of a clock that moves only when told.
///
/// Actions that are due at the same time run in the order they were scheduled. The scheduler belongs to the thread that
/// made it and traps on any other.
open class VirtualTimeScheduler<Converter: VirtualTimeConverterType>: SchedulerType, @unchecked Sendable {
    /// A point of virtual time.
    public typealias VirtualTime = Converter.VirtualTimeUnit
    /// A span of virtual time.
    public typealias VirtualTimeInterval = Converter.VirtualTimeIntervalUnit

    private let converter: Converter
    private let thread = pthread_self()
    private var queue: VirtualTimeQueue<Converter>
    @exclusivity(unchecked) private var isRunning = false
    @exclusivity(unchecked) private var current: VirtualTime

    /// A scheduler whose clock stands at `initialClock`.
    public init(initialClock: VirtualTime, converter: Converter) {
        current = initialClock
        self.converter = converter
        queue = VirtualTimeQueue(converter)
    }

    /// The wall-clock time that the clock stands for.
    public var now: RxTime {
        ensureThread()
        return converter.convertFromVirtualTime(current)
    }

    /// The clock.
    public var clock: VirtualTime {
        ensureThread()
        return current
    }

    /// Runs `action` when the actions that are due now have run.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleRelative(state, dueTime: .nanoseconds(0), action: action)
    }

    /// Runs `action` when the clock has moved by `dueTime`; one that is never due never runs.
    @preconcurrency
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        guard dueTime.nanoseconds != nil else { return Disposables.create() }
        let time = converter.convertToVirtualTime(now.addingTimeInterval(dueTime.seconds))
        return scheduleAbsoluteVirtual(state, time: adjustScheduledTime(time), action: action)
    }

    /// Runs `action` when the clock has moved by `dueTime`, which is taken as it is.
    @preconcurrency
    public func scheduleRelativeVirtual<StateType>(
        _ state: StateType, dueTime: VirtualTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let time = converter.offsetVirtualTime(clock, offset: dueTime)
        return scheduleAbsoluteVirtual(state, time: time, action: action)
    }

    /// Runs `action` when the clock has come to `time`, which is taken as it is. What lies in the past is due now.
    @preconcurrency
    public func scheduleAbsoluteVirtual<StateType>(
        _ state: StateType, time: VirtualTime, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        ensureThread()
        let item = ScheduledItem(state, action)
        queue.insert(item, at: time)
        return item
    }

    /// For subclasses: may move the time of an action forward that was scheduled in wall-clock time, by
    /// ``schedule(_:action:)`` or ``scheduleRelative(_:dueTime:action:)``.
    open func adjustScheduledTime(_ time: VirtualTime) -> VirtualTime {
        time
    }

    /// Runs everything that is scheduled, and what that schedules, moving the clock along. Does nothing while running.
    public func start() {
        ensureThread()
        guard !isRunning else { return }
        run { _ in true }
    }

    /// Runs everything that is due up to `virtualTime`, and leaves the clock there. Traps while running.
    public func advanceTo(_ virtualTime: VirtualTime) {
        ensureThread()
        precondition(!isRunning, "the scheduler is running already")
        run { self.converter.compareVirtualTime($0, virtualTime) != .greaterThan }
        current = virtualTime
    }

    /// Moves the clock without running anything. Traps on a negative span.
    public func sleep(_ virtualInterval: VirtualTimeInterval) {
        ensureThread()
        let time = converter.offsetVirtualTime(current, offset: virtualInterval)
        precondition(converter.compareVirtualTime(time, current) != .lessThan, "the clock cannot go back")
        current = time
    }

    /// Makes a running ``start()`` or ``advanceTo(_:)`` return after the action that calls this.
    public func stop() {
        ensureThread()
        isRunning = false
    }

    private func run(while isDue: (VirtualTime) -> Bool) {
        isRunning = true
        while isRunning, let time = queue.earliest, isDue(time) {
            let item = queue.removeFirst()
            // What was cancelled does not move the clock either.
            if item.isDisposed { continue }
            if converter.compareVirtualTime(time, current) == .greaterThan { current = time }
            item.run()
        }
        isRunning = false
    }

    private func ensureThread() {
        precondition(
            pthread_equal(thread, pthread_self()) != 0, "a virtual scheduler is used on the thread that made it"
        )
    }
}

extension VirtualTimeScheduler: CustomDebugStringConvertible {
    /// The clock and what is scheduled.
    public var debugDescription: String {
        ensureThread()
        return "clock \(current), \(queue.count) scheduled"
    }
}
