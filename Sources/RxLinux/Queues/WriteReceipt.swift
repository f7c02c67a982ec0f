import RxEngine

/// A receipt for one line or record to be written, which reports the outcome once and can be cancelled until then.
///
/// ```
/// waiting ──begin──▶ being written ──end──▶ over
///    ▲                    │
///    └──────putBack───────┘        cancel while waiting, or a release without `end`: over, as cancelled
/// ```
///
/// Every method may be called on any thread. ``begin()`` and ``putBack()`` do not call out, so that a writer may use
/// them under its lock.
public final class WriteReceipt: Sendable {
    /// The outcome of a write.
    public enum Outcome: Sendable {
        /// The line or record is written.
        case written
        /// The write failed.
        case failed(any Error)
        /// The line or record was not written.
        case cancelled
    }

    /// The progress of a write, and the callback for its outcome.
    private struct State {
        var phase = Phase.waiting
        let onEnd: @Sendable (Outcome) -> Void
    }

    /// How far the write has got.
    private enum Phase {
        case waiting
        case writing
        /// Being written, and not to be written again.
        case cancelledWhileWriting
    }

    /// The state until the outcome is reported; then `nil`.
    private let state: Locked<State?>

    /// Creates a receipt.
    ///
    /// - Parameter onEnd: called once, with the outcome, on the thread that ends or cancels the write.
    public init(_ onEnd: @escaping @Sendable (Outcome) -> Void) {
        state = Locked(State(onEnd: onEnd))
    }

    deinit {
        end(.cancelled)
    }

    /// Starts the write; called by the writer before it writes.
    ///
    /// - Returns: whether to write: `false` if the receipt was cancelled.
    public func begin() -> Bool {
        state.withLock { state in
            if state?.phase == .waiting { state?.phase = .writing }
            return state != nil
        }
    }

    /// Returns to waiting; called by the writer if it could not write any part yet.
    ///
    /// - Returns: whether to write later; if not, the writer calls ``end(_:)`` with ``Outcome/cancelled``.
    public func putBack() -> Bool {
        state.withLock { state in
            guard let phase = state?.phase, phase != .cancelledWhileWriting else { return false }
            state?.phase = .waiting
            return true
        }
    }

    /// Reports the outcome; called by the writer, also without ``begin()`` if it rejects the line or record.
    public func end(_ outcome: Outcome) {
        state.withLock { $0.take() }?.onEnd(outcome)
    }

    /// Cancels the write, unless it has started.
    public func cancel() {
        let waiting = state.withLock { state -> State? in
            if state?.phase == .waiting { return state.take() }
            state?.phase = .cancelledWhileWriting
            return nil
        }
        waiting?.onEnd(.cancelled)
    }
}
