import RxEngine

/// A source that could not be armed.
package struct ArmingFailure: Sendable, CustomStringConvertible {
    package let source: String
    package let error: any Error

    package var description: String { "\(source) cannot be armed: \(error)" }
}

// Unchecked: the lock guards all mutable state.
/// The outcome of arming a source.
final class Arming: @unchecked Sendable {
    private let lock = Lock()
    /// `nil` before the source is armed; otherwise the failure, or `.some(nil)`.
    private var outcome: (any Error)??
    private var waiting: [@Sendable ((any Error)?) -> Void] = []

    var isResolved: Bool { lock.locked { outcome != nil } }

    /// Whether the source is armed.
    var isArmed: Bool {
        lock.locked { if case .some(.none) = outcome { true } else { false } }
    }

    /// Sets the outcome: armed, or failed with an error. Only the first call has an effect.
    func resolve(_ failure: (any Error)? = nil) {
        let waiting = lock.locked {
            if outcome == nil { outcome = .some(failure) }
            defer { self.waiting = [] }
            return self.waiting
        }
        for body in waiting { body(failure) }
    }

    /// Calls `body` with the failure, or `nil`, when the outcome is known.
    func whenResolved(_ body: @escaping @Sendable ((any Error)?) -> Void) {
        let outcome = lock.locked {
            if self.outcome == nil { waiting.append(body) }
            return self.outcome
        }
        if let outcome { body(outcome) }
    }
}
