import Synchronization

/// A disposable that only records whether it was disposed.
public final class BooleanDisposable: Cancelable {
    private let ticket = ResourceTicket(.disposable)
    private let disposed: Atomic<Bool>

    /// Makes a disposable that is not disposed.
    public convenience init() {
        self.init(isDisposed: false)
    }

    /// Makes a disposable in the given state.
    public init(isDisposed: Bool) {
        disposed = Atomic(isDisposed)
    }

    /// Whether the disposable was disposed.
    public var isDisposed: Bool {
        disposed.load(ordering: .acquiring)
    }

    /// Records that it was disposed.
    public func dispose() {
        disposed.store(true, ordering: .releasing)
    }
}
