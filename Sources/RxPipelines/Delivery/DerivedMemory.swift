// Unchecked: the lock of ``Unsettled`` guards the mutable state.
/// The memory of a value that steps made of an event. It counts with the unsettled memory of the event's source until
/// this object is released.
final class DerivedMemory: @unchecked Sendable {
    let byteCount: Int
    private let unsettled: UnsettledEventTable
    /// The number of steps that collect the value. Guarded by the lock.
    var collectors = 0

    init(_ byteCount: Int, to unsettled: UnsettledEventTable) {
        self.byteCount = byteCount
        self.unsettled = unsettled
    }

    deinit { unsettled.discountDerived(byteCount) }

    /// Adds to the number of steps that collect the value.
    func addCollectors(_ number: Int) { unsettled.addCollectors(number, of: self) }

    /// The memory of the value if a single step collects it; otherwise 0.
    var memoryOfSoleCollector: Int { unsettled.memoryOfSoleCollector(of: self) }
}
