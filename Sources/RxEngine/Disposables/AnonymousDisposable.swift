import Synchronization

/// Runs a closure once, then lets it go.
final class AnonymousDisposable: Cancelable {
    private let ticket = ResourceTicket(.disposable)
    private let action: Mutex<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = Mutex(action)
    }

    var isDisposed: Bool {
        action.withLock { $0 == nil }
    }

    func dispose() {
        action.withLock { $0.take() }?()
    }
}
