extension Observable {
    /// Runs the sequence and waits for its outcome. Cancelling the task disposes the run and throws.
    func awaitedOutcome() async throws -> Outcome<Element> {
        let waiter = OutcomeWaiter<Element>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter.start(self, $0) }.outcome
        } onCancel: {
            waiter.cancel()
        }
    }
}

// Unchecked: it passes from the source's thread to the task that waits for it.
private struct Told<Element>: @unchecked Sendable {
    let outcome: Outcome<Element>
}

// Unchecked: what changes is behind the lock.
/// A task's wait for an outcome, which an outcome or the task's cancellation ends, whichever comes first.
private final class OutcomeWaiter<Element>: @unchecked Sendable {
    private typealias Continuation = CheckedContinuation<Told<Element>, any Error>

    private let subscription = SingleAssignmentDisposable()
    private let lock = Lock()
    private var continuation: CheckedContinuation<Told<Element>, any Error>?
    private var isCancelled = false

    /// Subscribes. A sequence that ends inside `subscribe` has its outcome even where the task was cancelled before.
    func start(_ source: Observable<Element>, _ continuation: CheckedContinuation<Told<Element>, any Error>) {
        lock.locked { self.continuation = continuation }
        subscription.setDisposable(source.awaitOutcome { self.finish()?.resume(returning: Told(outcome: $0)) })
        if lock.locked({ isCancelled }) { finish()?.resume(throwing: CancellationError()) }
    }

    func cancel() {
        lock.locked { isCancelled = true }
        subscription.dispose()
        finish()?.resume(throwing: CancellationError())
    }

    /// - Returns: the continuation, for whoever ends the wait.
    private func finish() -> Continuation? {
        lock.locked { continuation.take() }
    }
}
