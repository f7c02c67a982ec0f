// Unchecked: the action is behind the lock.
/// Runs a closure once, then lets it go.
final class AnonymousDisposable: Cancelable, @unchecked Sendable {
    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var action: (@Sendable () -> Void)?

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    var isDisposed: Bool {
        lock.locked { action == nil }
    }

    func dispose() {
        lock.locked { action.take() }?()
    }
}
