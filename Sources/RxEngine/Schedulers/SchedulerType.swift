import FoundationEssentials

/// A scheduler with a clock.
@preconcurrency
public protocol SchedulerType: ImmediateSchedulerType {
    /// The scheduler's idea of the wall-clock time.
    var now: RxTime { get }

    /// The time since some fixed point, which no adjustment of the clock moves. Operators measure with it. A scheduler
    /// that does not say derives it from ``SchedulerType/now``.
    var elapsed: Duration { get }

    /// Runs `action` with `state` once, after `dueTime`.
    @preconcurrency
    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable

    /// Runs `action` after `startAfter` and then every `period`, each time with the state that the last one returned.
    /// Two runs never overlap.
    @preconcurrency
    func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable
}

extension SchedulerType {
    /// The time since the reference date, in whole microseconds: a date is not much more exact, and what two of them
    /// are apart would be off by the difference.
    public var elapsed: Duration {
        .microseconds((now.timeIntervalSinceReferenceDate * 1_000_000).rounded())
    }

    /// Repeats by scheduling each run from the one before. Runs that fall due while one is going on are made up for
    /// directly after it.
    @preconcurrency
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        PeriodicRepetition.start(on: self, state, after: startAfter, period: period, action: action)
    }
}

extension SchedulerType {
    /// Runs `action` with `state` after `dueTime`, and again, each time after a while, for whatever it calls `recurse`
    /// with. See ``ImmediateSchedulerType/scheduleRecursive(_:action:)``.
    ///
    ///     scheduler.scheduleRecursive(3, dueTime: .seconds(1)) { left, recurse in
    ///         print(left)
    ///         if left > 1 { recurse(left - 1, .seconds(1)) }
    ///     }
    @preconcurrency
    public func scheduleRecursive<State>(
        _ state: State, dueTime: RxTimeInterval,
        action: @escaping @Sendable (_ state: State, _ recurse: (State, RxTimeInterval) -> Void) -> Void
    ) -> any Disposable {
        let recursion = Recursion<State, RxTimeInterval>(
            schedule: { state, dueTime, run in
                self.scheduleRelative(state, dueTime: dueTime) {
                    run($0)
                    return Disposables.create()
                }
            },
            action: action)
        return recursion.start(with: state, dueTime)
    }
}
