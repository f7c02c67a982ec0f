import Synchronization

// Unchecked: the work is taken once, by the thread that claims it to run it or to cancel it. The result is written
// before `returned` is set, and taken by the thread that sets the second of `returned` and `disposed`.
/// A scheduled action, and the disposable that cancels it before it runs or, if it has run, disposes what it returned.
///
/// Disposing releases the action at once, however long the scheduler keeps the item. Disposing while the action runs
/// leaves the result to the thread that runs it:
///
/// | thread that runs                  | thread that disposes                  | effect              |
/// |-----------------------------------|---------------------------------------|---------------------|
/// | sets `claimed`                    |                                       | the action runs     |
/// |                                   | sets `disposed`, finds no `returned`  | none                |
/// | sets `returned`, finds `disposed` |                                       | disposes the result |
package final class ScheduledItem: TimerItem, Cancelable, TrampolineItem, @unchecked Sendable {
    private let bits = Atomic<UInt8>(0)
    @exclusivity(unchecked) private var work: (@Sendable () -> any Disposable)?
    @exclusivity(unchecked) private var result: (any Disposable)?

    /// Creates an item without a timer: its scheduler calls ``run()``.
    package convenience init<State>(_ state: State, _ action: @escaping @Sendable (State) -> any Disposable) {
        self.init(state, action, timers: nil)
    }

    init<State>(_ state: State, _ action: @escaping @Sendable (State) -> any Disposable, timers: TimerOwner?) {
        // Safe although marked unsafe: the state goes to the action, which is called once.
        nonisolated(unsafe) let state = state
        work = { action(state) }
        super.init(timers == nil ? .disposable : .timer, timers: timers, period: 0)
    }

    package var isDisposed: Bool {
        bits.load(ordering: .acquiring) & Bits.disposed != 0
    }

    /// Runs the action, unless it was cancelled.
    package func run() {
        let before = bits.bitwiseOr(Bits.claimed, ordering: .acquiringAndReleasing).oldValue
        guard before & Bits.claimed == 0, let work = work.take() else { return }
        result = work()
        let after = bits.bitwiseOr(Bits.returned, ordering: .acquiringAndReleasing).oldValue
        if after & Bits.disposed != 0 { disposeResult() }
    }

    override func fire() {
        run()
    }

    package func dispose() {
        let before = bits.bitwiseOr(Bits.claimed | Bits.disposed, ordering: .acquiringAndReleasing).oldValue
        guard before & Bits.disposed == 0 else { return }
        if before & Bits.claimed == 0 {
            timers?.cancel(self)
            work = nil
        } else if before & Bits.returned != 0 {
            disposeResult()
        }
    }

    private func disposeResult() {
        result.take()?.dispose()
    }

    private enum Bits {
        static let claimed: UInt8 = 1
        static let disposed: UInt8 = 2
        static let returned: UInt8 = 4
    }
}
