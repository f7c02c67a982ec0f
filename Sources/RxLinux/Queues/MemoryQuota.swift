import Synchronization

/// A limit on the memory that several owners take together.
///
/// Owners are, for example, the trees of all watched files, or what a pipeline remembers of events.
///
/// Can be used on any thread; a reservation, by one owner at a time.
package final class MemoryQuota: Sendable {
    /// The error for memory that would exceed a limit.
    package struct ExceededError: Error {
        /// The memory that is needed, and the limit, in bytes.
        package let needed, limit: Int
        /// Whether the limit is that of the quota that includes all others.
        package let isOfAll: Bool
    }

    /// The memory of one owner, counted until this object is released.
    package final class Reservation: Sendable {
        /// The size up to which a received body or output is counted in any case.
        static let smallInput = 64 << 10

        private let quota: MemoryQuota
        private let total = Atomic(0)

        fileprivate init(_ quota: MemoryQuota) {
            self.quota = quota
        }

        deinit { quota.add(-byteCount) }

        /// The memory of the owner, in bytes.
        package var byteCount: Int { total.load(ordering: .relaxed) }

        /// Sets the memory of the owner. A decrease always succeeds.
        package func set(_ new: Int) throws(ExceededError) { try add(new - byteCount) }

        /// Adds to the memory of the owner.
        package func add(_ more: Int) throws(ExceededError) {
            // The memory of most owners keeps its size.
            if more == 0 { return }
            try quota.reserve(more)
            total.add(more, ordering: .relaxed)
        }

        /// Records memory that the owner has already allocated. Never fails; other owners may then be refused memory.
        package func setUnconditionally(_ new: Int) {
            let before = byteCount
            if new == before { return }
            total.store(new, ordering: .relaxed)
            quota.add(new - before)
        }

        /// Adds the next piece of a body or an output that is being received.
        ///
        /// - Returns: whether there is memory for it.
        func addInput(_ more: Int) -> Bool {
            guard byteCount + more <= Self.smallInput else { return (try? add(more)) != nil }
            setUnconditionally(byteCount + more)
            return true
        }
    }

    private let maximum: Atomic<Int>
    private let total = Atomic(0)
    /// The quota that includes this one.
    private let all: MemoryQuota?

    /// Creates a quota of which nothing is reserved.
    ///
    /// - Parameters:
    ///   - limit: the memory that all reservations together may take, in bytes.
    ///   - all: the quota that includes this one; `nil` if there is no other limit.
    package init(limit: Int = .max, within all: MemoryQuota? = nil) {
        maximum = Atomic(limit)
        self.all = all
    }

    /// The memory that all reservations together may take, in bytes.
    package var limit: Int {
        get { maximum.load(ordering: .relaxed) }
        set { maximum.store(newValue, ordering: .relaxed) }
    }

    /// Whether there is a limit.
    package var isLimited: Bool { limit != .max }

    /// The memory of all reservations, in bytes.
    package var byteCount: Int { total.load(ordering: .relaxed) }

    /// Makes another reservation.
    ///
    /// - Parameter byteCount: the memory that its owner has already, such as the state from before a restart.
    package func reservation(holding byteCount: Int = 0) -> Reservation {
        let reservation = Reservation(self)
        reservation.setUnconditionally(byteCount)
        return reservation
    }

    private func reserve(_ more: Int) throws(ExceededError) {
        let sum = total.add(more, ordering: .relaxed).newValue
        do throws(ExceededError) {
            let limit = limit
            if more > 0, sum > limit { throw ExceededError(needed: sum, limit: limit, isOfAll: all == nil) }
            try all?.reserve(more)
        } catch {
            total.subtract(more, ordering: .relaxed)
            throw error
        }
    }

    private func add(_ more: Int) {
        let sum = total.add(more, ordering: .relaxed).newValue
        assert(sum >= 0, "a reservation has returned more than it has taken")
        all?.add(more)
    }
}
