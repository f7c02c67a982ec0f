/// Something that runs actions: at once, later, or elsewhere.
@preconcurrency
public protocol ImmediateSchedulerType: Sendable {
    /// Runs `action` with `state` as soon as the scheduler can.
    ///
    /// - Returns: a handle that cancels the action if it has not run, and otherwise disposes what it returned.
    @preconcurrency
    func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable
}

extension ImmediateSchedulerType {
    /// Runs `action` with `state`, and again for whatever it calls `recurse` with, as soon as the scheduler can.
    ///
    ///     CurrentThreadScheduler.instance.scheduleRecursive(3) { left, recurse in
    ///         print(left)
    ///         if left > 1 { recurse(left - 1) }
    ///     }
    ///
    /// The stack does not grow with the number of steps, whether or not the scheduler runs what it is given at once: a
    /// step whose turn comes while another one is on the stack waits for that to return.
    ///
    /// - Returns: the one handle for all steps. Disposing it stops before the next.
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
