import Dispatch
import Synchronization

/// A dispatch timer.
///
/// While it is armed it keeps itself alive, whether or not anyone holds it, as a subscription does; ``disarm()`` ends
/// that at once, not when the queue gets round to it. Only armed timers are counted.
final class DispatchTimer: Cancelable {
    // Unsafe in name only: dispatch sources may be used from any thread, but are not annotated on Linux.
    nonisolated(unsafe) private let source: any DispatchSourceTimer
    private let action: @Sendable (DispatchTimer) -> Void
    private let arming = Mutex<Arming?>(nil)
    private let disposed = Atomic(false)

    private final class Arming: Sendable {
        private let ticket = ResourceTicket(.timer)
        private let timer: DispatchTimer

        init(_ timer: DispatchTimer) {
            self.timer = timer
        }
    }

    init(on queue: DispatchQueue, action: @escaping @Sendable (DispatchTimer) -> Void) {
        source = DispatchSource.makeTimerSource(flags: [], queue: queue)
        self.action = action
    }

    /// Arms the timer. Called once. A period that is no time at all, or less, is the shortest there is.
    func arm(after delay: DispatchTimeInterval, repeating period: DispatchTimeInterval, leeway: DispatchTimeInterval) {
        source.schedule(deadline: .now() + delay, repeating: period.atLeastOneNanosecond, leeway: leeway)
        source.setEventHandler { [weak self] in
            guard let self, !self.isDisposed else { return }
            self.action(self)
        }
        let arming = Arming(self)
        self.arming.withLock { $0 = arming }
        source.activate()
    }

    var isDisposed: Bool {
        disposed.load(ordering: .acquiring)
    }

    func dispose() {
        guard !disposed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        disarm()
    }

    /// Stops the timer, and no longer keeps it alive.
    func disarm() {
        source.cancel()
        let last = arming.withLock { $0.take() }
        withExtendedLifetime(last) {}
    }
}

extension DispatchTimeInterval {
    /// Dispatch takes a period of zero as no period at all, and traps on a negative one.
    fileprivate var atLeastOneNanosecond: DispatchTimeInterval {
        nanoseconds.map { $0 <= 0 ? .nanoseconds(1) : self } ?? self
    }
}
