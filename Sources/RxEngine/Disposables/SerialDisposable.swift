// Unchecked: the lock guards the mutable state.
/// A disposable that holds another one at a time, and disposes it when the next one replaces it.
public final class SerialDisposable: Cancelable, @unchecked Sendable {
    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var current: (any Disposable)?
    private var wasDisposed = false

    /// Makes a serial disposable that holds nothing.
    public init() {}

    /// Whether the serial disposable was disposed.
    public var isDisposed: Bool {
        lock.locked { wasDisposed }
    }

    /// The held disposable.
    ///
    /// Setting it disposes the previous one; after ``SerialDisposable/dispose()`` the new one is disposed at once.
    public var disposable: any Disposable {
        get { lock.locked { current } ?? Disposables.create() }
        set {
            SubscriptionRecord.note(owner: Self.self, of: [newValue])
            lock.locked { () -> (any Disposable)? in
                if wasDisposed { return newValue }
                defer { current = newValue }
                return current
            }?.dispose()
        }
    }

    /// Disposes the held disposable, and each one that is set later.
    public func dispose() {
        lock.locked {
            wasDisposed = true
            return current.take()
        }?.dispose()
    }

    deinit {
        if let current { SubscriptionRecord.note(owner: Self.self, isReleased: true, of: [current]) }
    }
}

extension SerialDisposable {
    /// Holds the disposable that `start` returns.
    ///
    /// A placeholder is set before `start` is called: the work that `start` starts may set the next disposable at
    /// once, on another thread, and that one must not be replaced by this.
    package func hold(_ start: () -> any Disposable) {
        let placeholder = SingleAssignmentDisposable()
        disposable = placeholder
        placeholder.setDisposable(start())
    }
}
