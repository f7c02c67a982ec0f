/// The factory of the scheduler of drivers and signals, which a test may replace.
public enum SharingScheduler {
    @TaskLocal private static var mocked: (@Sendable () -> any SchedulerType)?

    /// A closure that creates the scheduler that drivers and signals deliver on.
    public static var make: @Sendable () -> any SchedulerType {
        mocked ?? { MainScheduler() }
    }

    /// Whether the caller runs inside ``mock(scheduler:action:)``.
    static var isMocked: Bool { mocked != nil }

    /// Runs `action` with `scheduler` in place of the main scheduler.
    ///
    /// The replacement holds for the calls that `action` makes on its thread and for the tasks that it starts. Other
    /// threads still get the main scheduler, so that tests may run in parallel.
    public static func mock<Result>(
        scheduler: any SchedulerType, action: () throws -> Result
    ) rethrows -> Result {
        try mock(makeScheduler: { scheduler }, action: action)
    }

    /// Runs `action` with a new result of `makeScheduler` in place of each main scheduler.
    ///
    /// The replacement holds for the calls that `action` makes on its thread and for the tasks that it starts. Other
    /// threads still get the main scheduler, so that tests may run in parallel.
    @preconcurrency
    public static func mock<Result>(
        makeScheduler: @escaping @Sendable () -> any SchedulerType, action: () throws -> Result
    ) rethrows -> Result {
        try $mocked.withValue(makeScheduler, operation: action)
    }
}
