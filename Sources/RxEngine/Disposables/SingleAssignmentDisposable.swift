// Unchecked: what changes is behind the lock.
/// A place for a disposable that is known later than it may be disposed.
public final class SingleAssignmentDisposable: Cancelable, @unchecked Sendable {
    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var disposable: (any Disposable)?
    private var isSet = false
    private var wasDisposed = false

    /// One with nothing in it yet.
    public init() {}

    /// Whether it was disposed.
    public var isDisposed: Bool {
        lock.locked { wasDisposed }
    }

    /// Puts the disposable in; if the place is disposed already, it is disposed at once. A second call traps.
    public func setDisposable(_ disposable: any Disposable) {
        let isLate = lock.locked {
            precondition(!isSet, "a single-assignment disposable is set once")
            isSet = true
            if !wasDisposed { self.disposable = disposable }
            return wasDisposed
        }
        if isLate { disposable.dispose() }
    }

    /// Disposes what is in it, or what will be put in.
    public func dispose() {
        lock.locked {
            wasDisposed = true
            return disposable.take()
        }?.dispose()
    }
}
