import Synchronization

// Unchecked: what changes is guarded by `lock`.
/// Disposes a disposable on a scheduler.
public final class ScheduledDisposable: Cancelable, @unchecked Sendable {
    /// Where the disposable is disposed.
    public let scheduler: any ImmediateSchedulerType

    private let ticket = ResourceTicket(.disposable)
    private let requested = Atomic(false)
    private let lock = Lock()
    private var disposable: (any Disposable)?

    /// Holds `disposable` for `scheduler` to dispose.
    public init(scheduler: any ImmediateSchedulerType, disposable: any Disposable) {
        self.scheduler = scheduler
        self.disposable = disposable
    }

    /// Whether the scheduler has disposed the disposable.
    public var isDisposed: Bool {
        lock.locked { disposable == nil }
    }

    /// Has the scheduler dispose the disposable.
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
