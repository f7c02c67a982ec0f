// Unchecked: the lock guards the action.
/// A disposable that runs a closure once, and then releases it.
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
