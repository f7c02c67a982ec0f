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

    /// The time of the first action, whether or not that is cancelled.
    var earliest: Converter.VirtualTimeUnit? { heap.first?.time }

    mutating func insert(_ item: ScheduledItem, at time: Converter.VirtualTimeUnit) {
        if heap.count >= cleanupThreshold { removeCancelled() }
        lastSequenceNumber += 1
        heap.insert(Entry(time: time, sequenceNumber: lastSequenceNumber, item: item, converter: converter))
    }

    mutating func removeFirst() -> ScheduledItem {
        heap.remove(at: 0).item
    }

    private mutating func removeCancelled() {
        heap.removeAll { $0.item.isDisposed }
        cleanupThreshold = max(64, 2 * heap.count)
    }
}
