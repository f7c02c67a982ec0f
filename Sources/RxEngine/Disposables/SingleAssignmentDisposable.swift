import Synchronization

/// A place for a disposable that is known later than it may be disposed.
public final class SingleAssignmentDisposable: Cancelable {
    private struct State {
        var disposable: (any Disposable)?
        var isSet = false
        var isDisposed = false
    }

    private let ticket = ResourceTicket(.disposable)
    private let state = Mutex(State())

    /// One with nothing in it yet.
    public init() {}

    /// Whether it was disposed.
    public var isDisposed: Bool {
        state.withLock { $0.isDisposed }
    }

    /// Puts the disposable in; if the place is disposed already, it is disposed at once. A second call traps.
    public func setDisposable(_ disposable: any Disposable) {
        let late = state.withLock { state in
            precondition(!state.isSet, "a single-assignment disposable is set once")
            state.isSet = true
            if !state.isDisposed { state.disposable = disposable }
            return state.isDisposed
        }
        if late { disposable.dispose() }
    }

    /// Disposes what is in it, or what will be put in.
    public func dispose() {
        state.withLock { state in
            state.isDisposed = true
            return state.disposable.take()
        }?.dispose()
    }
}
