/// The records that are queued for journald, in the order they were written.
///
/// If there is no room, the least urgent records are dropped, the oldest of them first; a record that is no more urgent
/// than every queued one is itself dropped. Dropped records are counted by priority.
struct JournalBacklog {
    /// A queued record.
    struct Item {
        let priority: JournalPriority
        let bytes: [UInt8]
        let number: Int
        var receipt: WriteReceipt?
    }

    private let capacity: Int
    private let byteCapacity: Int
    private var classes = [PriorityClass](repeating: PriorityClass(), count: JournalPriority.allCases.count)
    private var lastNumber = 0
    private var byteCount = 0
    /// The record that is being sent. It occupies its room until the next is taken, and is not dropped for others.
    private var outgoing: Item?
    /// The number of records, including the one that is being sent.
    private(set) var count = 0
    /// The number of dropped records by priority.
    private(set) var dropped = [Int](repeating: 0, count: JournalPriority.allCases.count)

    init(capacity: Int, byteCapacity: Int) {
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    /// Adds a record and drops less urgent ones if it needs their room.
    ///
    /// - Returns: whether it was added, and the receipts of the dropped records.
    mutating func add(
        _ priority: JournalPriority, _ bytes: [UInt8], _ receipt: WriteReceipt? = nil
    ) -> (isTaken: Bool, evicted: [WriteReceipt]) {
        var evicted: [WriteReceipt] = []
        // Drop nothing if the record would not fit even so.
        let others = classes[...priority.rawValue]
        let staying = (count: outgoing == nil ? 0 : 1, byteCount: outgoing?.bytes.count ?? 0)
        guard others.reduce(staying.count, { $0 + $1.count }) < capacity,
            others.reduce(staying.byteCount, { $0 + $1.byteCount }) <= byteCapacity - bytes.count
        else { return (drop(priority), []) }
        while count >= capacity || byteCount + bytes.count > byteCapacity {
            guard let leastUrgent = classes.lastIndex(where: { !$0.isEmpty }), leastUrgent > priority.rawValue,
                let item = classes[leastUrgent].removeFirst()
            else { return (drop(priority), evicted) }
            forget(item)
            dropped[leastUrgent] += 1
            if let receipt = item.receipt { evicted.append(receipt) }
        }
        lastNumber += 1
        classes[priority.rawValue].append(Item(priority: priority, bytes: bytes, number: lastNumber, receipt: receipt))
        count += 1
        byteCount += bytes.count
        return (true, evicted)
    }

    /// Returns the oldest record to send it, and removes the one that was sent before it.
    mutating func takeFirst() -> Item? {
        if let sent = outgoing.take() { forget(sent) }
        var first: (index: Int, number: Int)?
        for (index, records) in classes.enumerated() {
            if let number = records.first?.number, number < first?.number ?? .max { first = (index, number) }
        }
        guard let first else { return nil }
        outgoing = classes[first.index].removeFirst()
        return outgoing
    }

    /// Puts the record that could not be sent back to its place.
    mutating func putBack() {
        guard let item = outgoing.take() else { return }
        classes[item.priority.rawValue].putBack(item)
    }

    /// Counts a record that was not queued, or no longer is, as dropped.
    @discardableResult
    mutating func drop(_ priority: JournalPriority) -> Bool {
        dropped[priority.rawValue] += 1
        return false
    }

    private mutating func forget(_ item: Item) {
        count -= 1
        byteCount -= item.bytes.count
    }

    /// The queue of the records of one priority.
    private struct PriorityClass {
        private var items: Queue<Item> = []
        private(set) var byteCount = 0

        var count: Int { items.count }
        var isEmpty: Bool { items.isEmpty }
        var first: Item? { items.first }

        mutating func append(_ item: Item) {
            items.append(item)
            byteCount += item.bytes.count
        }

        mutating func putBack(_ item: Item) {
            items.prepend(item)
            byteCount += item.bytes.count
        }

        mutating func removeFirst() -> Item? {
            guard let item = items.popFirst() else { return nil }
            byteCount -= item.bytes.count
            return item
        }
    }
}
