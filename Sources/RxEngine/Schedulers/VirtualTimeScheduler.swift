import FoundationEssentials
import Synchronization

// Unchecked: every entry point traps off the thread that created the scheduler, except those for other threads. The lock
// guards what these use.
/// A scheduler with a virtual clock, which moves only when the program advances it.
///
/// Actions with the same due time run in the order in which they were scheduled. The scheduler may be used only on the
/// thread that created it, and traps on any other. Only ``SchedulerType/asClock()`` and ``SchedulerType/asExecutor()``
/// return what any thread may use.
open class VirtualTimeScheduler<Converter: VirtualTimeConverterType>: SchedulerType, @unchecked Sendable {
    /// A point of virtual time.
    public typealias VirtualTime = Converter.VirtualTimeUnit
    /// An interval of virtual time.
    public typealias VirtualTimeInterval = Converter.VirtualTimeIntervalUnit

    private let converter: Converter
    private let thread = CurrentThread.number
    private var queue: VirtualTimeQueue<Converter>
    @exclusivity(unchecked) private var isRunning = false

    private let lock = Lock()
    /// The virtual time. Written by the scheduler's thread under the lock, so that this thread reads it without.
    @exclusivity(unchecked) private var current: VirtualTime
    /// What other threads have posted, oldest first. Guarded by the lock.
    private var posted: [PostedItem] = []
    /// Whether `posted` has an item: set under the lock, and read without it.
    private let hasPosted = Atomic(false)

    /// Creates a scheduler whose clock starts at `initialClock`.
    ///
    /// - Parameters:
    ///   - initialClock: the virtual time at which the clock starts.
    ///   - converter: converts between virtual time and wall-clock time.
    public init(initialClock: VirtualTime, converter: Converter) {
        current = initialClock
        self.converter = converter
        queue = VirtualTimeQueue(converter)
    }

    /// The wall-clock time of the virtual clock.
    public var now: RxTime {
        ensureThread()
        return converter.convertFromVirtualTime(current)
    }

    /// The virtual time.
    public var clock: VirtualTime {
        ensureThread()
        return current
    }

    /// Runs `action` after the actions that are due now.
    ///
    /// - Complexity: O(log *n*) for *n* scheduled actions.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleRelative(state, dueTime: .nanoseconds(0), action: action)
    }

    /// Runs `action` when the clock has advanced by `dueTime`. The action never runs if `dueTime` is `.never`.
    ///
    /// - Complexity: O(log *n*) for *n* scheduled actions.
    @preconcurrency
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        guard dueTime.nanoseconds != nil else { return Disposables.create() }
        let time = converter.convertToVirtualTime(now.addingTimeInterval(dueTime.seconds))
        return scheduleAbsoluteVirtual(state, time: adjustScheduledTime(time), action: action)
    }

    /// Runs `action` when the clock has advanced by `dueTime`, an interval of virtual time.
    ///
    /// ``adjustScheduledTime(_:)`` does not change the time.
    ///
    /// - Complexity: O(log *n*) for *n* scheduled actions.
    @preconcurrency
    public func scheduleRelativeVirtual<StateType>(
        _ state: StateType, dueTime: VirtualTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let time = converter.offsetVirtualTime(clock, offset: dueTime)
        return scheduleAbsoluteVirtual(state, time: time, action: action)
    }

    /// Runs `action` when the clock reaches `time`.
    ///
    /// An action whose time is in the past is due now. ``adjustScheduledTime(_:)`` does not change the time.
    ///
    /// - Complexity: O(log *n*) for *n* scheduled actions.
    @preconcurrency
    public func scheduleAbsoluteVirtual<StateType>(
        _ state: StateType, time: VirtualTime, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        ensureThread()
        let item = ScheduledItem(state, action)
        queue.insert(item, at: time)
        return item
    }

    /// Returns the virtual time at which an action runs that was scheduled for `time`. The default is `time` itself.
    ///
    /// A subclass may override it to move actions to a later time. It applies to actions that were scheduled in
    /// wall-clock time, by ``schedule(_:action:)`` or ``scheduleRelative(_:dueTime:action:)``.
    open func adjustScheduledTime(_ time: VirtualTime) -> VirtualTime {
        time
    }

    /// Runs all scheduled actions, including those that they schedule, and advances the clock.
    ///
    /// Does nothing while the scheduler is running.
    /// The actions run on this thread, inside the call.
    ///
    /// - Complexity: O(log *n*) for each action, with *n* scheduled actions.
    public func start() {
        ensureThread()
        guard !isRunning else { return }
        run { _ in true }
    }

    /// Runs all actions that are due up to `virtualTime`, and sets the clock to it. Traps if the scheduler is running.
    ///
    /// The actions run on this thread, inside the call.
    ///
    /// - Complexity: O(log *n*) for each action, with *n* scheduled actions.
    public func advanceTo(_ virtualTime: VirtualTime) {
        ensureThread()
        precondition(!isRunning, "the scheduler is running already")
        run { self.converter.compareVirtualTime($0, virtualTime) != .greaterThan }
        setClock(to: virtualTime)
    }

    /// Advances the clock by `virtualInterval` without running actions. Traps if the interval is negative.
    public func sleep(_ virtualInterval: VirtualTimeInterval) {
        ensureThread()
        let time = converter.offsetVirtualTime(current, offset: virtualInterval)
        precondition(
            converter.compareVirtualTime(time, current) != .lessThan,
            "sleep(_:): the interval is negative, and the clock cannot go back")
        setClock(to: time)
    }

    /// Makes a running ``start()`` or ``advanceTo(_:)`` return after the current action.
    public func stop() {
        ensureThread()
        isRunning = false
    }

    private func run(while isDue: (VirtualTime) -> Bool) {
        isRunning = true
        while isRunning {
            if hasPosted.load(ordering: .acquiring) { takePosted() }
            guard let (item, time) = queue.removeFirst(ifDue: isDue) else { break }
            // A cancelled action does not advance the clock.
            if item.isDisposed { continue }
            if converter.compareVirtualTime(time, current) == .greaterThan { setClock(to: time) }
            item.run()
        }
        isRunning = false
    }

    private func setClock(to time: VirtualTime) {
        // The previous time is released after the lock is unlocked.
        var time = time
        lock.locked { swap(&current, &time) }
    }

    private func ensureThread() {
        precondition(
            isOnThread,
            "a virtual-time scheduler was used on another thread than the one that made it"
        )
    }
}

extension VirtualTimeScheduler: ThreadBoundScheduler {
    /// An item of another thread.
    fileprivate struct PostedItem {
        let item: ScheduledItem
        let deadline: Duration?
    }

    var isOnThread: Bool { thread == CurrentThread.number }

    var elapsedOnAnyThread: Duration {
        let time = lock.locked { current }
        return converter.convertFromVirtualTime(time).elapsed
    }

    func post(_ item: ScheduledItem, at deadline: Duration?) {
        if isOnThread { return insert(PostedItem(item: item, deadline: deadline)) }
        lock.locked {
            posted.append(PostedItem(item: item, deadline: deadline))
            hasPosted.store(true, ordering: .releasing)
        }
    }

    private func takePosted() {
        let taken = lock.locked {
            hasPosted.store(false, ordering: .relaxed)
            defer { posted = [] }
            return posted
        }
        taken.forEach(insert)
    }

    /// An item without a deadline, or whose deadline has passed, is due now.
    private func insert(_ posted: PostedItem) {
        var time = current
        if let deadline = posted.deadline {
            let due = converter.convertToVirtualTime(
                RxTime(timeIntervalSinceReferenceDate: deadline.interval.seconds))
            if converter.compareVirtualTime(due, time) == .greaterThan { time = due }
        }
        queue.insert(posted.item, at: time)
    }
}

extension VirtualTimeScheduler: CustomDebugStringConvertible {
    /// The clock and the number of scheduled actions.
    public var debugDescription: String {
        ensureThread()
        return "clock \(current), \(queue.count) scheduled"
    }
}
