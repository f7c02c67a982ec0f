import RxControl
import RxEngine

/// The requests of each user that wait for events, such as `rxwatchctl sync`, of which a user may have a few at once.
final class WaitingRequests: Sendable {
    /// The most requests of one user at once.
    static let maximum = 16

    /// The answer to a further one.
    static let refusal = ControlAnswer(
        "\(maximum) requests of this user wait already; end one of them", exitCode: ExitCode.failure)

    private let counts = Locked<[UInt32: Int]>([:])

    /// Begins a request of a user.
    ///
    /// - Returns: whether it may wait; if so, ``end(of:)`` ends it.
    func begin(of user: UInt32) -> Bool {
        counts.withLock { counts in
            guard counts[user, default: 0] < Self.maximum else { return false }
            counts[user, default: 0] += 1
            return true
        }
    }

    /// Ends a request of a user.
    func end(of user: UInt32) {
        counts.withLock { counts in
            let left = counts[user, default: 1] - 1
            counts[user] = left > 0 ? left : nil
        }
    }
}
