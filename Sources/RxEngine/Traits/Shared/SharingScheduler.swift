/// Makes the scheduler of drivers and signals, which a test may replace.
public enum SharingScheduler {
    @TaskLocal private static var mocked: (@Sendable () -> any SchedulerType)?

    /// Makes the scheduler that drivers and signals deliver on.
    public static var make: @Sendable () -> any SchedulerType {
        mocked ?? { MainScheduler() }
    }

    /// Whether the caller runs inside ``mock(scheduler:action:)``.
    static var isMocked: Bool { mocked != nil }

    /// Runs `action` with `scheduler` in the place of the main scheduler.
    ///
    /// It is replaced for what `action` does on its thread and for the tasks that it starts. What runs elsewhere
    /// meanwhile does not notice, so that tests may run side by side.
    public static func mock<Result>(
        scheduler: any SchedulerType, action: () throws -> Result
    ) rethrows -> Result {
        try mock(makeScheduler: { scheduler }, action: action)
    }

    /// Runs `action` with what `makeScheduler` makes in the place of the main scheduler.
    @preconcurrency
    public static func mock<Result>(
        makeScheduler: @escaping @Sendable () -> any SchedulerType, action: () throws -> Result
    ) rethrows -> Result {
        try $mocked.withValue(makeScheduler, operation: action)
    }
}
