import Dispatch

/// An executor that runs the jobs of actors and tasks as actions of a scheduler, one at a time.
///
/// An actor keeps it, and returns it as its `unownedExecutor`:
///
/// ```swift
/// actor Store {
///     private let executor: SchedulerExecutor
///     nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
///
///     init(on scheduler: any SchedulerType) { executor = scheduler.asExecutor() }
/// }
/// ```
///
/// A task is started with it: `Task(executorPreference: scheduler.asExecutor()) { … }`.
///
/// On a virtual-time scheduler the jobs take no virtual time, and run on the thread that advances the clock, inside
/// ``VirtualTimeScheduler/start()`` or ``VirtualTimeScheduler/advanceTo(_:)``. A job of another thread, which arrives
/// after these have returned, runs in the next call.
public final class SchedulerExecutor: SerialExecutor, TaskExecutor {
    private let scheduler: any ImmediateSchedulerType
    private let jobs = JobQueue<UnownedJob>()

    fileprivate init(_ scheduler: any SchedulerType) {
        // The main scheduler may run an action at once, and a job would then run inside the call that enqueues it.
        self.scheduler =
            scheduler is MainScheduler ? MainScheduler.asyncInstance : scheduler.anyThreadScheduler ?? scheduler
    }

    /// Schedules a job.
    public func enqueue(_ job: consuming ExecutorJob) {
        if jobs.append(UnownedJob(job)) { scheduleBatch() }
    }

    private func scheduleBatch() {
        _ = scheduler.schedule(self) {
            $0.runBatch()
            return Disposables.create()
        }
    }

    private func runBatch() {
        let (serial, task) = (asUnownedSerialExecutor(), asUnownedTaskExecutor())
        let hasMore = jobs.runBatch { $0.runSynchronously(isolatedTo: serial, taskExecutor: task) }
        if hasMore { scheduleBatch() }
    }

    /// Stops the program unless the caller is on the scheduler of this executor.
    ///
    /// That is the queue of a serial dispatch scheduler, or the thread of a virtual-time scheduler. Whatever runs there
    /// is isolated to the actors of this executor.
    ///
    /// So the actions of the scheduler may call `assumeIsolated` of such an actor. On other schedulers only jobs may.
    public func checkIsolated() {
        switch scheduler {
        case let scheduler as SerialDispatchQueueScheduler:
            dispatchPrecondition(condition: .onQueue(scheduler.queue))
        case let scheduler as AnyThreadScheduler:
            precondition(scheduler.isOnThread, "the caller is not on the thread of the virtual-time scheduler")
        default:
            preconditionFailure("the caller is not in a job of this executor")
        }
    }
}

extension SchedulerType {
    /// Returns an executor that runs the jobs of actors and tasks on this scheduler, one at a time.
    ///
    /// Executors of one serial scheduler exclude one another, as all its actions do.
    public func asExecutor() -> SchedulerExecutor {
        SchedulerExecutor(self)
    }
}
