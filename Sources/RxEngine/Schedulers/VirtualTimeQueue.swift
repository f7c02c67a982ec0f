/// The actions of a virtual-time scheduler, by virtual time and, among equal times, by insertion.
///
/// A cancelled action does not know its index, so it stays in the heap. When the heap has twice the size that the last
/// cleanup left, the cancelled actions are removed, so that they take no more memory than the others.
struct VirtualTimeQueue<Converter: VirtualTimeConverterType>: ~Copyable {
    private struct Entry: HeapEntry {
        let time: Converter.VirtualTimeUnit
        let sequenceNumber: Int
        let item: ScheduledItem
        let converter: Converter

        func isBefore(_ other: Entry) -> Bool {
            switch converter.compareVirtualTime(time, other.time) {
            case .lessThan: true
            case .equal: sequenceNumber < other.sequenceNumber
            case .greaterThan: false
            }
        }

        func didMove(to index: Int) {}
    }

    private let converter: Converter
    private var heap = Heap<Entry>()
    private var lastSequenceNumber = 0
    private var cleanupThreshold = 64

    init(_ converter: Converter) {
        self.converter = converter
    }

    /// The number of actions that are not cancelled.
    var count: Int { heap.count { !$0.item.isDisposed } }

    /// Removes the first action, whether or not it is cancelled, and returns it with its time, unless that is not due.
    ///
    /// Inlined like ``insert(_:at:)``: each function that runs unspecialized looks up the types that it uses.
    @inline(__always)
    mutating func removeFirst(
        ifDue isDue: (Converter.VirtualTimeUnit) -> Bool
    ) -> (item: ScheduledItem, time: Converter.VirtualTimeUnit)? {
        guard let first = heap.first, isDue(first.time) else { return nil }
        _ = heap.remove(at: 0)
        return (first.item, first.time)
    }

    @inline(__always)
    mutating func insert(_ item: ScheduledItem, at time: Converter.VirtualTimeUnit) {
        if heap.count >= cleanupThreshold { removeCancelled() }
        lastSequenceNumber += 1
        heap.insert(Entry(time: time, sequenceNumber: lastSequenceNumber, item: item, converter: converter))
    }

    private mutating func removeCancelled() {
        heap.removeAll { $0.item.isDisposed }
        cleanupThreshold = max(64, 2 * heap.count)
    }
}
