// Unchecked: the lock guards all mutable state.
/// The elements that one run counts in a demand. Disposing it removes its elements from the demand; later ones are not
/// counted.
///
/// An element is added to the demand before it is counted here, and removed from it afterwards, so that the demand never
/// counts too few.
final class DemandShare: Disposable, @unchecked Sendable {
    private let demand: Demand
    private let lock = Lock()
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var isDisposed = false

    init(of demand: Demand) {
        self.demand = demand
    }

    // No consumer takes the elements that are left.
    deinit { dispose() }

    /// Counts an element that has arrived.
    func add() {
        demand.add(1)
        let isLate = lock.locked {
            if !isDisposed { count += 1 }
            return isDisposed
        }
        if isLate { demand.remove(1) }
    }

    /// Counts an element that has left.
    func remove() {
        let isCounted = lock.locked {
            defer { count = max(0, count - 1) }
            return count > 0
        }
        if isCounted { demand.remove(1) }
    }

    func dispose() {
        let rest = lock.locked {
            isDisposed = true
            defer { count = 0 }
            return count
        }
        if rest > 0 { demand.remove(rest) }
    }
}
