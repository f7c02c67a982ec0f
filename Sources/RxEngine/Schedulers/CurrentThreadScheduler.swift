/// Runs actions on the thread that schedules them, one after the other.
///
/// The outermost action runs at once; what it schedules waits until it returns and then runs in the order scheduled.
public final class CurrentThreadScheduler: ImmediateSchedulerType {
    /// The scheduler: it keeps its state with each thread, so there is one.
    public static let instance = CurrentThreadScheduler()

    /// Whether the calling thread is outside any of the scheduler's actions, so that the next one would run at once.
    public static var isScheduleRequired: Bool {
        ThreadState.existing?.pointee.isOnTrampoline != true
    }

    /// Runs `action` at once, or after the actions that the thread is running and those waiting before it.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let thread = ThreadState.current
        guard thread.pointee.isOnTrampoline else { return Trampoline.enter { action(state) } }
        let item = ScheduledItem(state, action)
        thread.pointee.trampoline.enqueue(item)
        return item
    }
}
