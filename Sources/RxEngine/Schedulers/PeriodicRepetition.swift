import Synchronization

// Unchecked: `state` is touched only by the one thread that is working off due ticks.
/// A periodic action on a scheduler that has none of its own: each tick schedules the next.
final class PeriodicRepetition<Scheduler: SchedulerType, State>: @unchecked Sendable {
    private let scheduler: Scheduler
    private let period: RxTimeInterval
    private let action: @Sendable (State) -> State
    private let dueTicks = Atomic(0)
    private let timer = SerialDisposable()
    private var state: State

    private init(
        _ scheduler: Scheduler, _ state: State, period: RxTimeInterval, action: @escaping @Sendable (State) -> State
    ) {
        self.scheduler = scheduler
        self.state = state
        self.period = period
        self.action = action
    }

    /// - Returns: the handle that ends the repetition. Only the tick that is scheduled holds the action.
    static func start(
        on scheduler: Scheduler, _ state: State, after delay: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (State) -> State
    ) -> any Disposable {
        let repetition = PeriodicRepetition(scheduler, state, period: period, action: action)
        repetition.scheduleNext(after: delay)
        return repetition.timer
    }

    private func scheduleNext(after interval: RxTimeInterval) {
        timer.hold {
            scheduler.scheduleRelative((), dueTime: interval) {
                self.tick()
                return Disposables.create()
            }
        }
    }

    /// Schedules the next tick, then works this one off, unless a run is going on: then that run makes up for it.
    private func tick() {
        scheduleNext(after: period)
        guard dueTicks.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat {
            if timer.isDisposed { return }
            state = action(state)
        } while dueTicks.subtract(1, ordering: .acquiringAndReleasing).newValue > 0
    }
}
