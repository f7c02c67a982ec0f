import Dispatch
import FoundationEssentials

/// A scheduler that runs actions on an executor of Swift concurrency, one at a time, in their order.
///
/// ```swift
/// prices.observe(on: ExecutorScheduler(actor: book)).subscribe(onNext: { price in
///     book.assumeIsolated { $0.prices.append(price) }
/// })
/// ```
///
/// It is serial also on a task executor with several threads. One job of the executor runs several actions, but no more
/// than 256, and none after a millisecond. Delays are measured on the monotonic clock, off the executor.
///
/// The scheduler retains the executor or actor. An actor that keeps a subscription on a scheduler of its own is retained
/// until that subscription is disposed.
public final class ExecutorScheduler: SchedulerType {
    private let actions = JobQueue<ScheduledItem>()
    private let signals: AsyncStream<Void>.Continuation
    private let timers = TimerQueue(
        DispatchQueue(label: "rx.executor.timers"), leeway: .nanoseconds(0), isConcurrent: false)

    /// Creates a scheduler that runs actions on a serial executor.
    ///
    /// - Parameters:
    ///   - executor: runs the actions.
    ///   - priority: the priority of the jobs that the executor receives.
    public convenience init(_ executor: any SerialExecutor, priority: TaskPriority? = nil) {
        self.init(ExecutorHost(executor), priority, host: type(of: executor))
    }

    /// Creates a scheduler whose actions are isolated to an actor: in them, `assumeIsolated` of the actor succeeds.
    ///
    /// - Parameters:
    ///   - actor: the actor whose executor runs the actions. The scheduler retains it, so an actor that stores its own
    ///     scheduler is never released.
    ///   - priority: the priority of the jobs that the executor receives.
    public convenience init(actor: any Actor, priority: TaskPriority? = nil) {
        self.init(actor, priority, host: type(of: actor))
    }

    /// - Parameter host: the type that reports of blocking actions name.
    private init(_ actor: any Actor, _ priority: TaskPriority?, host: any Sendable.Type) {
        let stream: AsyncStream<Void>
        (stream, signals) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        Task.detached(priority: priority) { [actions] in await serve(actions, stream, host, isolation: actor) }
    }

    /// Creates a scheduler that runs actions on a task executor, one at a time.
    ///
    /// - Parameters:
    ///   - taskExecutor: runs the actions, for example `globalConcurrentExecutor`.
    ///   - priority: the priority of the jobs that the executor receives.
    public init(taskExecutor: any TaskExecutor, priority: TaskPriority? = nil) {
        let stream: AsyncStream<Void>
        (stream, signals) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let host = type(of: taskExecutor)
        Task.detached(executorPreference: taskExecutor, priority: priority) { [actions] in
            await serve(actions, stream, host, isolation: nil)
        }
    }

    deinit {
        // The task still runs the actions that are scheduled.
        signals.finish()
    }

    /// The wall-clock time.
    public var now: RxTime { Date() }

    /// The time on the monotonic clock.
    public var elapsed: Duration { TimerQueue.elapsed }

    /// Runs `action` on the executor, after all actions that were scheduled before it.
    ///
    /// - Returns: A disposable that cancels the action, or disposes what it returned if it has run.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let item = ScheduledItem(state, action)
        post(item)
        return item
    }

    private func post(_ item: ScheduledItem) {
        if actions.append(item) { signals.yield() }
    }

    /// Runs `action` on the executor once, after `dueTime`. The action never runs if `dueTime` is `.never`.
    ///
    /// - Complexity: O(log *n*) for *n* armed timers.
    @preconcurrency
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        // Disposed itself, too: the timer may have posted it already.
        let item = ScheduledItem(state, action)
        let timer = timers.scheduleOnce(item, after: dueTime) {
            self.post($0)
            return Disposables.create()
        }
        return Disposables.create(timer, item)
    }

    /// Runs `action` on the executor after `startAfter` and then every `period`, counted from one due time to the next.
    ///
    /// A late run delays none after it. Ticks that fall due while the executor is busy are merged into one.
    ///
    /// - Complexity: O(log *n*) for each tick, with *n* armed timers.
    @preconcurrency
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        let repetition = PostedRepetition(on: self, state, action)
        let timer = timers.schedulePeriodic((), after: startAfter, every: period) { repetition.tick() }
        return Disposables.create(timer, repetition.scheduled)
    }
}

/// Runs the actions of a scheduler in the task of the caller, isolated to an actor if there is one. Each signal says that
/// actions have been scheduled.
private func serve(
    _ actions: JobQueue<ScheduledItem>, _ signals: AsyncStream<Void>, _ host: any Sendable.Type,
    isolation: isolated (any Actor)?
) async {
    for await _ in signals {
        while actions.runBatch({ run($0, host) }) { await Task.yield() }
    }
}

private func run(_ action: ScheduledItem, _ host: any Sendable.Type) {
    if BlockingWatch.isOn { BlockingWatch.run(on: "\(host)", action.run) } else { action.run() }
}

/// An actor on a given executor.
private actor ExecutorHost {
    private nonisolated let executor: any SerialExecutor

    init(_ executor: any SerialExecutor) {
        self.executor = executor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
