import FoundationEssentials

/// A scheduler with a clock: it can run actions later and periodically.
@preconcurrency
public protocol SchedulerType: ImmediateSchedulerType {
    /// The scheduler's wall-clock time.
    var now: RxTime { get }

    /// The time since a fixed point, which adjustments of the clock do not change. Operators measure intervals with it.
    ///
    /// By default it is derived from ``SchedulerType/now``.
    var elapsed: Duration { get }

    /// Runs `action` with `state` once, after `dueTime`.
    ///
    /// - Returns: A disposable that cancels the action if it has not run, and otherwise disposes what it returned.
    @preconcurrency
    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable

    /// Runs `action` after `startAfter` and then every `period`, each time with the state that the previous run
    /// returned.
    ///
    /// Runs never overlap.
    ///
    /// - Returns: A disposable that ends the repetition.
    @preconcurrency
    func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable
}

extension RxTime {
    /// The time since the reference date, rounded to whole microseconds.
    var elapsed: Duration {
        .microseconds((timeIntervalSinceReferenceDate * 1_000_000).rounded())
    }
}

extension SchedulerType {
    /// The time since the reference date, rounded to whole microseconds.
    ///
    /// A date is not much more precise; without rounding, the difference of two values would carry that error.
    public var elapsed: Duration { now.elapsed }

    /// Runs `action` periodically by scheduling each run from the one before.
    ///
    /// Runs that fall due while another one is in progress follow directly after it.
    @preconcurrency
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        PeriodicRepetition.start(on: self, state, after: startAfter, period: period, action: action)
    }
}

extension SchedulerType {
    /// Runs `action` with `state` after `dueTime`, and again with each state and interval that it passes to `recurse`.
    ///
    /// See also ``ImmediateSchedulerType/scheduleRecursive(_:action:)``.
    ///
    ///     scheduler.scheduleRecursive(3, dueTime: .seconds(1)) { left, recurse in
    ///         print(left)
    ///         if left > 1 { recurse(left - 1, .seconds(1)) }
    ///     }
    ///
    /// - Returns: one disposable for all steps. Disposing it cancels the steps that have not run.
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
