import RxEngine

/// What becomes of one line or record that is handed over to be written: it is reported once, and can be cancelled
/// until its writing begins.
///
/// ```
/// waiting ──begin──▶ being written ──end──▶ over
///    ▲                    │
///    └──────putBack───────┘        cancel while waiting, or a release without `end`: over, as cancelled
/// ```
///
/// Every method may be called on any thread. ``begin()`` and ``putBack()`` call nobody, so that a writer may use them
/// under its lock.
public final class WriteReceipt: Sendable {
    /// What became of it.
    public enum Outcome: Sendable {
        case written
        case failed(any Error)
        /// It has not been written.
        case cancelled
    }

    private struct State {
        var isBeingWritten = false
        var isCancelled = false
        let onEnd: @Sendable (Outcome) -> Void
    }

    /// `nil` when it is over.
    private let state: Locked<State?>

    /// - Parameter onEnd: called once, with what became of it.
    public init(_ onEnd: @escaping @Sendable (Outcome) -> Void) {
        state = Locked(State(onEnd: onEnd))
    }

    deinit {
        end(.cancelled)
    }

    /// Called by the writer before it writes.
    ///
    /// - Returns: whether it may: `false` if this was cancelled.
    public func begin() -> Bool {
        state.withLock { state in
            guard state != nil else { return false }
            state?.isBeingWritten = true
            return true
        }
    }

    /// Called by the writer when nothing of it could be written yet.
    ///
    /// - Returns: whether it is to be written later; if not, the writer calls ``end(_:)`` with ``Outcome/cancelled``.
    public func putBack() -> Bool {
        state.withLock { state in
            guard state?.isCancelled == false else { return false }
            state?.isBeingWritten = false
            return true
        }
    }

    /// Called by the writer when it is done with it, also without ``begin()`` if it was refused.
    public func end(_ outcome: Outcome) {
        state.withLock { $0.take() }?.onEnd(outcome)
    }

    /// Has it not written, unless its writing has begun.
    public func cancel() {
        let waiting = state.withLock { state -> State? in
            guard state?.isBeingWritten == true else { return state.take() }
            state?.isCancelled = true
            return nil
        }
        waiting?.onEnd(.cancelled)
    }
}
