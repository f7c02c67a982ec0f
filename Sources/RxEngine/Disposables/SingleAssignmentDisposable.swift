// Unchecked: the lock guards the mutable state.
/// A disposable whose underlying disposable is set once, and may be disposed before it is set.
public final class SingleAssignmentDisposable: Cancelable, @unchecked Sendable {
    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var disposable: (any Disposable)?
    private var isSet = false
    private var wasDisposed = false

    /// Makes a disposable without an underlying one.
    public init() {}

    /// Whether it was disposed.
    public var isDisposed: Bool {
        lock.locked { wasDisposed }
    }

    /// Sets the underlying disposable, or disposes it at once if this one was disposed. A second call traps.
    public func setDisposable(_ disposable: any Disposable) {
        let isLate = lock.locked {
            precondition(!isSet, "a single-assignment disposable was set twice")
            isSet = true
            if !wasDisposed { self.disposable = disposable }
            return wasDisposed
        }
        if isLate { disposable.dispose() }
    }

    /// Disposes the underlying disposable, now or as soon as it is set.
    ///
    /// The thread that disposes this one, or that sets the underlying disposable later, disposes it.
    public func dispose() {
        lock.locked {
            wasDisposed = true
            return disposable.take()
        }?.dispose()
    }
}
