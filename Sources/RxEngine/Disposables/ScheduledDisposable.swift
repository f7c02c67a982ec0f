import Synchronization

// Unchecked: `lock` guards the mutable state.
/// A disposable that disposes another one on a scheduler.
public final class ScheduledDisposable: Cancelable, @unchecked Sendable {
    /// The scheduler that disposes the disposable.
    public let scheduler: any ImmediateSchedulerType

    private let ticket = ResourceTicket(.disposable)
    private let requested = Atomic(false)
    private let lock = Lock()
    private var disposable: (any Disposable)?

    /// Makes a disposable that disposes `disposable` on `scheduler`.
    ///
    /// - Parameters:
    ///   - scheduler: disposes the disposable.
    ///   - disposable: the disposable.
    public init(scheduler: any ImmediateSchedulerType, disposable: any Disposable) {
        self.scheduler = scheduler
        self.disposable = disposable
    }

    /// Whether the scheduler has disposed the disposable.
    public var isDisposed: Bool {
        lock.locked { disposable == nil }
    }

    /// Schedules the disposal of the disposable.
    public func dispose() {
        guard !requested.exchange(true, ordering: .acquiringAndReleasing) else { return }
        _ = scheduler.schedule(self) {
            $0.disposeNow()
            return Disposables.create()
        }
    }

    private func disposeNow() {
        lock.locked { disposable.take() }?.dispose()
    }
}
