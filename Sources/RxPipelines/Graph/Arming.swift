import RxEngine

/// A source that could not be armed.
package struct ArmingFailure: Sendable, CustomStringConvertible {
    package let source: String
    package let error: any Error

    package var description: String { "\(source) cannot be armed: \(error)" }
}

// Unchecked: everything is behind the lock.
/// Whether a source has been armed, or has failed to be.
final class Arming: @unchecked Sendable {
    private let lock = Lock()
    /// The first of what it has come to.
    private var outcome: (any Error)??
    private var waiting: [@Sendable ((any Error)?) -> Void] = []

    var isSettled: Bool { lock.locked { outcome != nil } }

    /// It has been, or has failed with an error; once is enough.
    func settle(_ failure: (any Error)? = nil) {
        let waiting = lock.locked {
            if outcome == nil { outcome = .some(failure) }
            defer { self.waiting = [] }
            return self.waiting
        }
        for body in waiting { body(failure) }
    }

    /// Calls `body` when it has, with what it failed with.
    func whenSettled(_ body: @escaping @Sendable ((any Error)?) -> Void) {
        let outcome = lock.locked {
            if self.outcome == nil { waiting.append(body) }
            return self.outcome
        }
        if let outcome { body(outcome) }
    }
}

// Unchecked: everything is behind the lock.
/// What could not be armed, collected from all sources.
final class ArmingFailures: @unchecked Sendable {
    private let lock = Lock()
    private var list: [ArmingFailure] = []

    var all: [ArmingFailure] { lock.locked { list } }

    func add(_ failure: ArmingFailure) {
        lock.locked { list.append(failure) }
    }
}
