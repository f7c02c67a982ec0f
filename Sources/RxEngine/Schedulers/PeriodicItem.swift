import Synchronization

// Unchecked: the step is touched only by the thread that runs it, one run after the other, or, once no run is going on
// and none can begin, by the one who disposed.
/// A timer that fires time and again, until it is disposed, with the state that the last run returned.
final class PeriodicItem: TimerItem, Cancelable, @unchecked Sendable {
    private let bits = Atomic<UInt8>(0)
    private var step: (@Sendable () -> Void)?

    init<State>(
        _ state: State, _ action: @escaping @Sendable (State) -> State, every period: Int64, timers: TimerQueue
    ) {
        // Unsafe in name only: it belongs to the step.
        nonisolated(unsafe) var state = state
        step = { state = action(state) }
        super.init(.timer, timers: timers, period: UInt64(max(1, period)))
    }

    var isDisposed: Bool {
        bits.load(ordering: .acquiring) & Bits.disposed != 0
    }

    override func fire() {
        let before = bits.bitwiseOr(Bits.running, ordering: .acquiringAndReleasing).oldValue
        guard before & Bits.disposed == 0 else { return }
        step?()
        let after = bits.bitwiseAnd(~Bits.running, ordering: .acquiringAndReleasing).oldValue
        if after & Bits.disposed != 0 { step = nil }
    }

    func dispose() {
        let before = bits.bitwiseOr(Bits.disposed, ordering: .acquiringAndReleasing).oldValue
        guard before & Bits.disposed == 0 else { return }
        timers?.cancel(self)
        if before & Bits.running == 0 { step = nil }
    }

    private enum Bits {
        static let running: UInt8 = 1
        static let disposed: UInt8 = 2
    }
}
