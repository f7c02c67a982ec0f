/// Records that wait for journald, in the order they came.
///
/// Where there is no more room, the least urgent go first, the oldest of them before others; a record that is no more
/// urgent than any that waits is itself the one to go. What goes is counted by its priority.
struct JournalBacklog {
    /// A record that waits.
    struct Item {
        let priority: JournalPriority
        let bytes: [UInt8]
        let number: Int
        var receipt: WriteReceipt?
    }

    private let capacity: Int
    private let byteCapacity: Int
    private var classes = [Line](repeating: Line(), count: JournalPriority.allCases.count)
    private var lastNumber = 0
    private var byteCount = 0
    /// The record that is being sent: it has its room until the next is taken, and makes way for none.
    private var outgoing: Item?
    /// How many there are, with the one that is being sent.
    private(set) var count = 0
    /// How many were dropped, by priority.
    private(set) var dropped = [Int](repeating: 0, count: JournalPriority.allCases.count)

    init(capacity: Int, byteCapacity: Int) {
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    /// - Returns: whether there was room for the record, or was made, and the receipts of those that made way.
    mutating func add(
        _ priority: JournalPriority, _ bytes: [UInt8], _ receipt: WriteReceipt? = nil
    ) -> (isTaken: Bool, evicted: [WriteReceipt]) {
        var evicted: [WriteReceipt] = []
        // Nobody makes way in vain.
        let others = classes[...priority.rawValue]
        let staying = (count: outgoing == nil ? 0 : 1, byteCount: outgoing?.bytes.count ?? 0)
        guard others.reduce(staying.count, { $0 + $1.count }) < capacity,
            others.reduce(staying.byteCount, { $0 + $1.byteCount }) <= byteCapacity - bytes.count
        else { return (drop(priority), []) }
        while count >= capacity || byteCount + bytes.count > byteCapacity {
            guard let least = classes.lastIndex(where: { !$0.isEmpty }), least > priority.rawValue,
                let item = classes[least].removeFirst()
            else { return (drop(priority), evicted) }
            forget(item)
            dropped[least] += 1
            if let receipt = item.receipt { evicted.append(receipt) }
        }
        lastNumber += 1
        classes[priority.rawValue].append(Item(priority: priority, bytes: bytes, number: lastNumber, receipt: receipt))
        count += 1
        byteCount += bytes.count
        return (true, evicted)
    }

    /// The record to send, which is the one that has waited longest; the one that was sent before it is forgotten.
    mutating func takeFirst() -> Item? {
        if let sent = outgoing.take() { forget(sent) }
        var first: (index: Int, number: Int)?
        for (index, line) in classes.enumerated() {
            if let number = line.first?.number, number < first?.number ?? .max { first = (index, number) }
        }
        guard let first else { return nil }
        outgoing = classes[first.index].removeFirst()
        return outgoing
    }

    /// Puts the record that could not be sent where it was.
    mutating func putBack() {
        guard let item = outgoing.take() else { return }
        classes[item.priority.rawValue].putBack(item)
    }

    /// Counts a record that never waited, or no longer does, as dropped.
    @discardableResult
    mutating func drop(_ priority: JournalPriority) -> Bool {
        dropped[priority.rawValue] += 1
        return false
    }

    private mutating func forget(_ item: Item) {
        count -= 1
        byteCount -= item.bytes.count
    }

    /// The records of one priority.
    private struct Line {
        private var items: [Item] = []
        private var head = 0
        private(set) var byteCount = 0

        var count: Int { items.count - head }
        var isEmpty: Bool { head == items.count }
        var first: Item? { isEmpty ? nil : items[head] }

        mutating func append(_ item: Item) {
            items.append(item)
            byteCount += item.bytes.count
        }

        mutating func putBack(_ item: Item) {
            items.insert(item, at: head)
            byteCount += item.bytes.count
        }

        mutating func removeFirst() -> Item? {
            guard let item = first else { return nil }
            head += 1
            byteCount -= item.bytes.count
            // Moved up now and then, at a cost that is shared by as many.
            if head == items.count || head >= 64 && head * 2 >= items.count {
                items.removeFirst(head)
                head = 0
            }
            return item
        }
    }
}
