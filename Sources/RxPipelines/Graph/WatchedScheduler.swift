import RxEngine

/// A component's scheduler, with a counter that shows whether a running action makes progress.
package struct WatchedScheduler: Sendable {
    package let scheduler: any SchedulerType
    /// The names of the component's sources and pipelines.
    package let names: [String]
    /// Returns a counter that grows whenever an evaluation that took long, or ran in another process, has ended.
    package let progress: @Sendable () -> Int

    package init(
        _ scheduler: any SchedulerType, of names: [String] = [], progress: @escaping @Sendable () -> Int = { 0 }
    ) {
        self.scheduler = scheduler
        self.names = names
        self.progress = progress
    }
}
