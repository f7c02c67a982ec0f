import RxEngine
import RxPipelines

/// Runs everything at once, on the thread that schedules it.
struct InlineScheduler: SchedulerType {
    var now: RxTime { RxTime(timeIntervalSince1970: 0) }

    func schedule<State>(
        _ state: State, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable { action(state) }

    func scheduleRelative<State>(
        _ state: State, dueTime: RxTimeInterval, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable { action(state) }
}

extension Host {
    /// A host for virtual time: sinks work on the thread that gives them events.
    static func inline(spools: (any SpoolStore)? = nil) -> Host {
        Host(spools: spools, makeScheduler: { _ in InlineScheduler() })
    }
}
