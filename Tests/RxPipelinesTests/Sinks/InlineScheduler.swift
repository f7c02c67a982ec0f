import RxEngine
import RxPipelines

/// A scheduler that runs every action at once, on the calling thread.
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
    static func inline(spools: (any SpoolStore)? = nil, memory: MemoryBudget = MemoryBudget()) -> Host {
        Host(spools: spools, memory: memory, makeScheduler: { _ in InlineScheduler() })
    }
}
