extension Observable {
    /// Subscribes and waits for the outcome.
    ///
    /// Cancelling the task disposes the subscription and throws `CancellationError`.
    func awaitedOutcome() async throws -> Outcome<Element> {
        let waiter = OutcomeWaiter<Element>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter.start(self, $0) }.outcome
        } onCancel: {
            waiter.cancel()
        }
    }
}

// Unchecked: the value is moved once, from the source's thread to the task that waits for it.
/// An outcome of any element type, for a continuation.
private struct SendableOutcome<Element>: @unchecked Sendable {
    let outcome: Outcome<Element>
}

// Unchecked: the lock protects all mutable state.
/// A task's wait for an outcome, which ends with the outcome or with the cancellation of the task, whichever is first.
private final class OutcomeWaiter<Element>: @unchecked Sendable {
    private typealias Continuation = CheckedContinuation<SendableOutcome<Element>, any Error>

    private let subscription = SingleAssignmentDisposable()
    private let lock = Lock()
    private var continuation: CheckedContinuation<SendableOutcome<Element>, any Error>?
    private var isCancelled = false

    /// Subscribes. A sequence that ends inside `subscribe` delivers its outcome even if the task is already cancelled.
    func start(_ source: Observable<Element>, _ continuation: CheckedContinuation<SendableOutcome<Element>, any Error>)
    {
        lock.locked { self.continuation = continuation }
        subscription.setDisposable(
            source.awaitOutcome { self.takeContinuation()?.resume(returning: SendableOutcome(outcome: $0)) })
        if lock.locked({ isCancelled }) { takeContinuation()?.resume(throwing: CancellationError()) }
    }

    func cancel() {
        lock.locked { isCancelled = true }
        subscription.dispose()
        takeContinuation()?.resume(throwing: CancellationError())
    }

    /// Takes the continuation, which ends the wait. Only the first caller gets it.
    private func takeContinuation() -> Continuation? {
        lock.locked { continuation.take() }
    }
}
