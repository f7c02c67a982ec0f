/// A scheduler that runs actions on the thread that schedules them, one after the other (a trampoline).
///
/// The outermost action runs at once. The actions that it schedules are queued until it returns and then run in the
/// order in which they were scheduled.
public final class CurrentThreadScheduler: ImmediateSchedulerType {
    /// The shared scheduler. Its state is per thread, so one instance is enough.
    public static let instance = CurrentThreadScheduler()

    /// Whether the calling thread is outside all of the scheduler's actions, so that the next action would run at once.
    public static var isScheduleRequired: Bool {
        ThreadState.existing?.pointee.isOnTrampoline != true
    }

    /// Runs `action` at once or, inside an action of this scheduler, after the current action and those queued before.
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
