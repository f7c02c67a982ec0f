import Synchronization

// Unchecked: only the thread that runs the step touches it, one run after the other; or, if no run is in progress and
// none can start, the thread that disposes the item.
/// A timer that fires repeatedly until it is disposed. Each run receives the state that the previous run returned.
///
/// Disposing releases the step. Disposing during a run leaves that to the thread that runs it:
///
/// | thread that fires                  | thread that disposes              | effect            |
/// |------------------------------------|-----------------------------------|-------------------|
/// | sets `running`                     |                                   | the step runs     |
/// |                                    | sets `disposed`, finds `running`  | none              |
/// | clears `running`, finds `disposed` |                                   | releases the step |
final class PeriodicItem: TimerItem, Cancelable, @unchecked Sendable {
    private let bits = Atomic<UInt8>(0)
    private var step: (@Sendable () -> Void)?

    init<State>(
        _ state: State, _ action: @escaping @Sendable (State) -> State, every period: Int64, timers: TimerOwner
    ) {
        // Safe although marked unsafe: only the step uses it.
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
