import Synchronization

/// An element of a source that waits, which counts in a demand until this object is released.
///
/// The source retains it while it delivers the element. If an operator with several sources is busy, it posts the element
/// to the thread that is inside (``SerializedDrain/post(_:)``), and `next` returns: then the posted work retains it.
/// Otherwise a source that finds the operator busy could go on without end, with none of its elements counted.
final class ElementInFlight: Sendable {
    private let demand: Demand

    /// Whether the program has used a demand. A drain that posts work asks this first, as it costs nothing.
    ///
    /// The thread that delivers an element has set it, and one that runs posted work has read the queue since.
    @inline(__always)
    static var isUsed: Bool { used.load(ordering: .relaxed) }
    private static let used = Atomic(false)

    /// Takes over what ``Demand/reserve()`` has counted.
    init(reservedIn demand: Demand) {
        self.demand = demand
        Self.used.store(true, ordering: .relaxed)
    }

    deinit {
        demand.remove(1)
    }

    /// Calls `body`, which delivers the element.
    func deliver(_ body: () -> Void) {
        let thread = ThreadState.current
        let outer = thread.pointee.elementInFlight
        thread.pointee.elementInFlight = self
        body()
        thread.pointee.elementInFlight = outer
    }

    /// Returns work that retains the element that the calling thread delivers, if there is one, until it has run.
    static func retain(until work: @escaping () -> Void) -> () -> Void {
        guard let element = ThreadState.existing?.pointee.elementInFlight else { return work }
        return { element.deliver(work) }
    }
}
