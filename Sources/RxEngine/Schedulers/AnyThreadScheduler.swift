import FoundationEssentials

/// A scheduler that traps off its own thread, and that other threads may post actions to.
protocol ThreadBoundScheduler: SchedulerType {
    /// Whether the caller is on the scheduler's thread.
    var isOnThread: Bool { get }

    /// ``SchedulerType/elapsed``, readable on any thread.
    var elapsedOnAnyThread: Duration { get }

    /// Schedules an item, on any thread.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - deadline: the time on ``elapsedOnAnyThread`` at which it runs; `nil` to run it at the current time, after
    ///     what is due already.
    func post(_ item: ScheduledItem, at deadline: Duration?)
}

/// A thread-bound scheduler as any thread may use it: for the tasks and clocks of async code, which choose their threads
/// themselves.
struct AnyThreadScheduler: SchedulerType {
    private let base: any ThreadBoundScheduler

    init(_ base: any ThreadBoundScheduler) {
        self.base = base
    }

    var isOnThread: Bool { base.isOnThread }
    var elapsed: Duration { base.elapsedOnAnyThread }
    var now: RxTime { Date(timeIntervalSinceReferenceDate: elapsed.interval.seconds) }

    func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let item = ScheduledItem(state, action)
        base.post(item, at: nil)
        return item
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        guard let delay = dueTime.nanoseconds else { return Disposables.create() }
        let item = ScheduledItem(state, action)
        base.post(item, at: elapsed + .nanoseconds(delay))
        return item
    }

    /// Returns an observable that emits 0 at `deadline`, a time of ``elapsed``, and completes. Unlike a relative one, the
    /// deadline holds if the clock moves before the item is posted.
    func timer(at deadline: Duration) -> Observable<Int> {
        .source(.timer) { [base] sink in
            let item = ScheduledItem(sink) { sink in
                if sink.live.isActive { sink.next(0) }
                if sink.live.isActive { sink.completed() }
                return Disposables.create()
            }
            base.post(item, at: deadline)
            return item
        }
    }
}

extension SchedulerType {
    /// The scheduler as any thread may use it, if it is bound to one.
    var anyThreadScheduler: (any SchedulerType)? {
        (self as? any ThreadBoundScheduler).map { AnyThreadScheduler($0) }
    }
}
