import Synchronization

// Unchecked: the work is taken once, by whoever claims it: the one who runs it or the one who cancels it. The result is
// written before `returned` is set, and taken by whoever sets the second of `returned` and `disposed`.
/// An action that waits for its scheduler, and the handle that cancels it before it runs or, where it has run, disposes
/// what it returned. A cancelled action is let go of at once, however long its scheduler keeps the item.
package final class ScheduledItem: TimerItem, Cancelable, TrampolineItem, @unchecked Sendable {
    private let bits = Atomic<UInt8>(0)
    @exclusivity(unchecked) private var work: (@Sendable () -> any Disposable)?
    @exclusivity(unchecked) private var result: (any Disposable)?

    /// An action that its scheduler runs when its turn has come.
    package convenience init<State>(_ state: State, _ action: @escaping @Sendable (State) -> any Disposable) {
        self.init(state, action, timers: nil)
    }

    init<State>(_ state: State, _ action: @escaping @Sendable (State) -> any Disposable, timers: TimerQueue?) {
        // Unsafe in name only: the state goes to the action, which is called once.
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
