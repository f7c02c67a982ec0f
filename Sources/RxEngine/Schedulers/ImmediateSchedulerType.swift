/// A scheduler without a clock: it decides when and on which thread an action runs.
@preconcurrency
public protocol ImmediateSchedulerType: Sendable {
    /// Runs `action` with `state` as soon as the scheduler can.
    ///
    /// - Returns: A disposable that cancels the action if it has not run, and otherwise disposes what it returned.
    @preconcurrency
    func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable
}

extension ImmediateSchedulerType {
    /// Runs `action` with `state`, and again with each state that the action passes to `recurse`.
    ///
    ///     CurrentThreadScheduler.instance.scheduleRecursive(3) { left, recurse in
    ///         print(left)
    ///         if left > 1 { recurse(left - 1) }
    ///     }
    ///
    /// The stack does not grow with the number of steps, even if the scheduler runs actions at once: a step that the
    /// scheduler runs while another step is on the thread's stack is queued until that step returns.
    ///
    /// - Returns: one disposable for all steps. Disposing it cancels the steps that have not run.
    @preconcurrency
    public func scheduleRecursive<State>(
        _ state: State, action: @escaping @Sendable (_ state: State, _ recurse: (State) -> Void) -> Void
    ) -> any Disposable {
        let recursion = Recursion<State, Void>(
            schedule: { state, _, run in
                self.schedule(state) {
                    run($0)
                    return Disposables.create()
                }
            },
            action: { state, recurse in action(state) { recurse($0, ()) } })
        return recursion.start(with: state, ())
    }
}
