import Synchronization

/// Holds one disposable at a time: setting another disposes the one before.
public final class SerialDisposable: Cancelable {
    private struct State {
        var current: (any Disposable)?
        var isDisposed = false
    }

    private let ticket = ResourceTicket(.disposable)
    private let state = Mutex(State())

    /// One that holds nothing.
    public init() {}

    /// Whether it was disposed.
    public var isDisposed: Bool {
        state.withLock { $0.isDisposed }
    }

    /// What it holds. Setting disposes what was held; once disposed, what is set is disposed at once.
    public var disposable: any Disposable {
        get { state.withLock { $0.current } ?? Disposables.create() }
        set {
            state.withLock { state -> (any Disposable)? in
                if state.isDisposed { return newValue }
                defer { state.current = newValue }
                return state.current
            }?.dispose()
        }
    }

    /// Disposes what it holds and whatever is set later.
    public func dispose() {
        state.withLock { state in
            state.isDisposed = true
            return state.current.take()
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
