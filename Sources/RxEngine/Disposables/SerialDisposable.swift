// Unchecked: what changes is behind the lock.
/// Holds one disposable at a time: setting another disposes the one before.
public final class SerialDisposable: Cancelable, @unchecked Sendable {
    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var current: (any Disposable)?
    private var wasDisposed = false

    /// One that holds nothing.
    public init() {}

    /// Whether it was disposed.
    public var isDisposed: Bool {
        lock.locked { wasDisposed }
    }

    /// What it holds. Setting disposes what was held; once disposed, what is set is disposed at once.
    public var disposable: any Disposable {
        get { lock.locked { current } ?? Disposables.create() }
        set {
            lock.locked { () -> (any Disposable)? in
                if wasDisposed { return newValue }
                defer { current = newValue }
                return current
            }?.dispose()
        }
    }

    /// Disposes what it holds and whatever is set later.
    public func dispose() {
        lock.locked {
            wasDisposed = true
            return current.take()
        }?.dispose()
    }
}

extension SerialDisposable {
    /// Holds what `start` returns. Its place is taken before `start` is called: what that starts may run at once,
    /// elsewhere, and set its own successor, which must not then be disposed.
    package func hold(_ start: () -> any Disposable) {
        let place = SingleAssignmentDisposable()
        disposable = place
        place.setDisposable(start())
    }
}
