import Synchronization

/// Two events, on any threads and in either order; the thread that records the second one continues the work.
struct Rendezvous: ~Copyable {
    enum Arrival {
        case first, second
    }

    private let hasFirstArrived = Atomic(false)

    /// Records one of the two events.
    ///
    /// - Returns: which of the two it is. The second one sees what the thread of the first one wrote before.
    func arrive() -> Arrival {
        hasFirstArrived.exchange(true, ordering: .acquiringAndReleasing) ? .second : .first
    }
}
