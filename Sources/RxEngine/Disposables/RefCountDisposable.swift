import Synchronization

// Unchecked: `lock` guards the mutable state.
/// A disposable that disposes another one when it was disposed itself and every handle of ``retain()`` was disposed.
public final class RefCountDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    private let lock = Lock()
    private var underlying: (any Disposable)?
    private var retainCount = 0
    private var isDisposeRequested = false

    /// Makes a disposable that holds `disposable`.
    public init(disposable: any Disposable) {
        underlying = disposable
    }

    /// Whether the held disposable was disposed.
    public var isDisposed: Bool {
        lock.locked { underlying == nil }
    }

    /// Whether a handle is not disposed yet.
    var isRetained: Bool { lock.locked { retainCount > 0 } }

    /// Retains the disposable until the returned handle is disposed.
    ///
    /// If it was disposed already, the handle does nothing.
    public func retain() -> any Disposable {
        let isLive = lock.locked {
            guard underlying != nil else { return false }
            retainCount += 1
            return true
        }
        return isLive ? RetainHandle(self) : Disposables.create()
    }

    /// Disposes the disposable, now or when the last handle is disposed.
    ///
    /// In the second case, the thread that disposes that handle disposes it.
    public func dispose() {
        lock.locked {
            isDisposeRequested = true
            return takeIfUnused()
        }?.dispose()
    }

    private func release() {
        lock.locked {
            retainCount -= 1
            return takeIfUnused()
        }?.dispose()
    }

    /// Called under the lock.
    private func takeIfUnused() -> (any Disposable)? {
        isDisposeRequested && retainCount == 0 ? underlying.take() : nil
    }

    // Unchecked: only the first `dispose()` takes the owner.
    private final class RetainHandle: DisposeBase, Cancelable, @unchecked Sendable {
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
