import Dispatch
import Synchronization

/// An armed dispatch timer.
///
/// It lives until it is disposed, whether or not anyone holds it, as a subscription does. Everything it holds is let
/// go of by ``dispose()`` itself, not when the queue gets round to it.
final class DispatchTimer: Cancelable {
    private let ticket = ResourceTicket(.timer)
    // Unsafe in name only: dispatch sources may be used from any thread, but are not annotated on Linux.
    nonisolated(unsafe) private let source: any DispatchSourceTimer
    private let action: @Sendable (DispatchTimer) -> Void
    private let armed = Mutex<DispatchTimer?>(nil)
    private let disposed = Atomic(false)

    init(on queue: DispatchQueue, action: @escaping @Sendable (DispatchTimer) -> Void) {
        source = DispatchSource.makeTimerSource(flags: [], queue: queue)
        self.action = action
    }

    /// Arms the timer. Called once.
    func start(after delay: DispatchTimeInterval, repeating period: DispatchTimeInterval, leeway: DispatchTimeInterval)
    {
        source.schedule(deadline: .now() + delay, repeating: period.atLeastOneNanosecond, leeway: leeway)
        source.setEventHandler { [weak self] in
            guard let self, !self.isDisposed else { return }
            self.action(self)
        }
        armed.withLock { $0 = self }
        source.activate()
    }

    var isDisposed: Bool {
        disposed.load(ordering: .acquiring)
    }

    /// Disarms the timer and lets go of its action.
    func dispose() {
        guard !disposed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        source.cancel()
        stop()
    }

    /// Gives up the hold that an armed timer has on itself.
    func stop() {
        let released = armed.withLock { $0.take() }
        withExtendedLifetime(released) {}
    }
}

extension DispatchTimeInterval {
    /// Dispatch takes a period of zero as no period at all.
    fileprivate var atLeastOneNanosecond: DispatchTimeInterval {
        nanoseconds == 0 ? .nanoseconds(1) : self
    }
}
