import Synchronization

// Unchecked: what changes is guarded by `lock`.
/// Disposes a disposable when it was disposed itself and nobody retains it any more.
public final class RefCountDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    private let lock = Lock()
    private var underlying: (any Disposable)?
    private var retained = 0
    private var isReleased = false

    /// Holds `disposable`.
    public init(disposable: any Disposable) {
        underlying = disposable
    }

    /// Whether the disposable that it holds was disposed.
    public var isDisposed: Bool {
        lock.locked { underlying == nil }
    }

    /// Whether a handle is retained.
    var isInUse: Bool { lock.locked { retained > 0 } }

    /// Keeps the disposable until the returned handle is disposed, too. Where it was disposed already, the handle does
    /// nothing.
    public func retain() -> any Disposable {
        let isLive = lock.locked {
            guard underlying != nil else { return false }
            retained += 1
            return true
        }
        return isLive ? Retention(self) : Disposables.create()
    }

    /// Disposes the disposable, or has the last handle do so.
    public func dispose() {
        lock.locked {
            isReleased = true
            return takeIfUnused()
        }?.dispose()
    }

    private func release() {
        lock.locked {
            retained -= 1
            return takeIfUnused()
        }?.dispose()
    }

    /// Under the lock.
    private func takeIfUnused() -> (any Disposable)? {
        isReleased && retained == 0 ? underlying.take() : nil
    }

    // Unchecked: the owner is taken by the first who disposes.
    private final class Retention: DisposeBase, Cancelable, @unchecked Sendable {
        private let disposed = Atomic(false)
        private var owner: RefCountDisposable?

        init(_ owner: RefCountDisposable) {
            self.owner = owner
        }

        var isDisposed: Bool {
            disposed.load(ordering: .acquiring)
        }

        func dispose() {
            guard !disposed.exchange(true, ordering: .acquiringAndReleasing) else { return }
            owner.take()?.release()
        }
    }
}
