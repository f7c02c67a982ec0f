// Unchecked: only the one thread that runs the due ticks touches `state`.
/// A periodic action on a scheduler without native periodic timers: each tick schedules the next one.
final class PeriodicRepetition<Scheduler: SchedulerType, State>: @unchecked Sendable {
    private let scheduler: Scheduler
    private let period: RxTimeInterval
    private let action: @Sendable (State) -> State
    private let dueTicks = WorkCount()
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

    /// Starts the repetition.
    ///
    /// - Returns: A disposable that ends the repetition. Only the scheduled tick retains the action.
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

    /// Schedules the next tick, then runs the action. If a run is in progress, that run repeats the action instead.
    private func tick() {
        scheduleNext(after: period)
        dueTicks.run {
            if !timer.isDisposed { state = action(state) }
        }
    }
}
