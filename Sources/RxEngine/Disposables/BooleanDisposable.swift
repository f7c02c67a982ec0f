import Synchronization

/// A disposable that only remembers whether it was disposed.
public final class BooleanDisposable: Cancelable {
    private let ticket = ResourceTicket(.disposable)
    private let disposed: Atomic<Bool>

    /// One that is not disposed yet.
    public convenience init() {
        self.init(isDisposed: false)
    }

    /// One in the given state.
    public init(isDisposed: Bool) {
        disposed = Atomic(isDisposed)
    }

    /// Whether it was disposed.
    public var isDisposed: Bool {
        disposed.load(ordering: .acquiring)
    }

    /// Remembers.
    public func dispose() {
        disposed.store(true, ordering: .releasing)
    }
}
