/// What waits for its virtual time, and among equal times in the order in which it came: a heap.
///
/// A cancelled action does not know where it stands. When there are twice as many as were left the time before, those
/// that were cancelled are taken out, so that they take no more memory than the others.
struct VirtualTimeQueue<Converter: VirtualTimeConverterType> {
    private struct Entry {
        let time: Converter.VirtualTimeUnit
        let number: Int
        let item: ScheduledItem
    }

    private let converter: Converter
    private var entries: [Entry] = []
    private var lastNumber = 0
    private var mostBeforeCleaning = 64

    init(_ converter: Converter) {
        self.converter = converter
    }

    /// How many actions wait that were not cancelled.
    var count: Int { entries.count { !$0.item.isDisposed } }

    /// When the first is due, be it cancelled or not.
    var earliest: Converter.VirtualTimeUnit? { entries.isEmpty ? nil : entries[0].time }

    mutating func insert(_ item: ScheduledItem, at time: Converter.VirtualTimeUnit) {
        if entries.count >= mostBeforeCleaning { clean() }
        lastNumber += 1
        entries.append(Entry(time: time, number: lastNumber, item: item))
        rise(from: entries.count - 1)
    }

    mutating func removeFirst() -> ScheduledItem {
        let first = entries[0].item
        let last = entries.count - 1
        if last > 0 { entries.swapAt(0, last) }
        entries.remove(at: last)
        sink(from: 0)
        return first
    }

    private mutating func clean() {
        entries.removeAll { $0.item.isDisposed }
        mostBeforeCleaning = max(64, 2 * entries.count)
        for place in (0..<entries.count / 2).reversed() { sink(from: place) }
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0, isBefore(place, (place - 1) / 2) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(from start: Int) {
        var place = start
        while 2 * place + 1 < entries.count {
            var child = 2 * place + 1
            if child + 1 < entries.count, isBefore(child + 1, child) { child += 1 }
            guard isBefore(child, place) else { return }
            entries.swapAt(place, child)
            place = child
        }
    }

    private func isBefore(_ place: Int, _ other: Int) -> Bool {
        switch converter.compareVirtualTime(entries[place].time, entries[other].time) {
        case .lessThan: true
        case .equal: entries[place].number < entries[other].number
        case .greaterThan: false
        }
    }
}
