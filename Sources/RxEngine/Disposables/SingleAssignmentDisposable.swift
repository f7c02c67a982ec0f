// Unchecked: the lock guards the mutable state.
/// A disposable whose underlying disposable is set once, and may be disposed before it is set.
public final class SingleAssignmentDisposable: Cancelable, @unchecked Sendable {
    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var state = State.unset

    private enum State {
        case unset
        case set(any Disposable)
        /// Disposed of before the underlying disposable was set.
        case disposedUnset
        case disposed
    }

    /// Makes a disposable without an underlying one.
    public init() {}

    /// Whether the disposable was disposed.
    public var isDisposed: Bool {
        lock.locked {
            switch state {
            case .unset, .set: false
            case .disposedUnset, .disposed: true
            }
        }
    }

    /// Sets the underlying disposable, or disposes it at once if this one was disposed. A second call traps.
    public func setDisposable(_ disposable: any Disposable) {
        let isLate = lock.locked { () -> Bool in
            switch state {
            case .unset:
                state = .set(disposable)
                return false
            case .disposedUnset:
                state = .disposed
                return true
            case .set, .disposed: preconditionFailure("a single-assignment disposable was set twice")
            }
        }
        if isLate { disposable.dispose() }
    }

    /// Disposes the underlying disposable, now or as soon as it is set.
    ///
    /// The thread that disposes this one, or that sets the underlying disposable later, disposes it.
    public func dispose() {
        let underlying = lock.locked { () -> (any Disposable)? in
            switch state {
            case .unset: state = .disposedUnset
            case .set(let disposable):
                state = .disposed
                return disposable
            case .disposedUnset, .disposed: break
            }
            return nil
        }
        underlying?.dispose()
    }
}
