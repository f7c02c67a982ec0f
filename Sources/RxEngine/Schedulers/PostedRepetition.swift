import Synchronization

// Unchecked: only the action on the scheduler touches `state`. One is scheduled or running at a time, and the bits order
// them.
/// A periodic action on a scheduler, whose ticks come from a timer elsewhere. Ticks that fall due before the action has
/// begun are merged into one, and so are those that fall due while it runs.
///
/// | timer                        | scheduler                              | bits         |
/// |------------------------------|----------------------------------------|--------------|
/// | sets due, finds 0, schedules |                                        | due          |
/// | sets due, finds it, merges   |                                        | due          |
/// |                              | stores running, begins a run           | running      |
/// | sets due, finds running      |                                        | running, due |
/// |                              | ends the run, finds due, schedules     | due          |
/// |                              | begins another run, ends it, finds no due | 0         |
///
/// The run that is in progress schedules the next action, which therefore follows it on a concurrent scheduler, too.
final class PostedRepetition<State>: @unchecked Sendable {
    private let scheduler: any ImmediateSchedulerType
    private let action: @Sendable (State) -> State
    private var state: State
    private let bits = Atomic<UInt8>(0)
    /// Holds the scheduled action. Disposing it ends the repetition.
    let scheduled = SerialDisposable()

    init(on scheduler: any ImmediateSchedulerType, _ state: State, _ action: @escaping @Sendable (State) -> State) {
        self.scheduler = scheduler
        self.state = state
        self.action = action
    }

    /// Schedules the action, unless it is scheduled or running.
    func tick() {
        if bits.bitwiseOr(Bits.due, ordering: .acquiringAndReleasing).oldValue == 0 { schedule() }
    }

    private func schedule() {
        scheduled.hold {
            scheduler.schedule(self) {
                $0.run()
                return Disposables.create()
            }
        }
    }

    private func run() {
        bits.store(Bits.running, ordering: .releasing)
        // The timer may have scheduled this while it was being disposed.
        if !scheduled.isDisposed { state = action(state) }
        let before = bits.bitwiseAnd(~Bits.running, ordering: .acquiringAndReleasing).oldValue
        if before & Bits.due != 0, !scheduled.isDisposed { schedule() }
    }
}

private enum Bits {
    static let due: UInt8 = 1
    static let running: UInt8 = 2
}
