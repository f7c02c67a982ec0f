import RxEngine

// Unchecked: everything is behind the lock.
/// Whether a source has been armed, or has failed to be.
final class Arming: @unchecked Sendable {
    private let lock = Lock()
    private var isSettled = false
    private var waiting: [@Sendable () -> Void] = []

    /// It has; once is enough.
    func settle() {
        let waiting = lock.locked {
            isSettled = true
            defer { self.waiting = [] }
            return self.waiting
        }
        for body in waiting { body() }
    }

    /// Calls `body` when it has.
    func whenSettled(_ body: @escaping @Sendable () -> Void) {
        let isSettled = lock.locked {
            if !self.isSettled { waiting.append(body) }
            return self.isSettled
        }
        if isSettled { body() }
    }
}
