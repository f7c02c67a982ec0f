/// Something that runs actions: at once, later, or elsewhere.
public protocol ImmediateSchedulerType: Sendable {
    /// Runs `action` with `state` as soon as the scheduler can.
    ///
    /// - Returns: a handle that cancels the action if it has not run, and otherwise disposes what it returned.
    @preconcurrency
    func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable
}
