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
    private var queue: [VirtualItem<VirtualTime>] = []
    private var isRunning = false
    private var current: VirtualTime

    /// A scheduler whose clock stands at `initialClock`.
    public init(initialClock: VirtualTime, converter: Converter) {
        current = initialClock
        self.converter = converter
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
        insert(VirtualItem(time: time, item: item))
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
        while isRunning, let next = queue.last, isDue(next.time) {
            queue.removeLast()
            // What was cancelled does not move the clock either.
            if next.item.isDisposed { continue }
            if converter.compareVirtualTime(next.time, current) == .greaterThan { current = next.time }
            next.item.run()
        }
        isRunning = false
    }

    /// Keeps the queue in order, latest first, so that the next action is taken from its end; among equal times the one
    /// scheduled first is nearest to it.
    private func insert(_ new: VirtualItem<VirtualTime>) {
        var low = 0
        var high = queue.count
        while low < high {
            let middle = (low + high) / 2
            if converter.compareVirtualTime(queue[middle].time, new.time) == .greaterThan {
                low = middle + 1
            } else {
                high = middle
            }
        }
        queue.insert(new, at: low)
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

/// An action that waits for its time.
private struct VirtualItem<VirtualTime> {
    let time: VirtualTime
    let item: ScheduledItem
}
