/// An entry of a ``Heap``.
protocol HeapEntry {
    /// Whether the entry precedes `other`.
    func isBefore(_ other: Self) -> Bool

    /// Handles that the heap has stored the entry at `index`.
    func didMove(to index: Int)
}

/// A priority queue: its first entry is the one that precedes all others.
///
/// It is a 4-ary heap, which is half as deep as a binary one and keeps the children of a node next to each other. It
/// manages its memory itself: in unspecialized code, an array would cost more to look up than an entry to move.
///
/// - Complexity: O(log n) to insert or remove an entry, O(1) to remove the entry that was inserted last.
struct Heap<Entry: HeapEntry>: ~Copyable {
    /// The children of the entry at an index are at `4 * index + 1` and the three indices after it.
    private var storage: UnsafeMutablePointer<Entry>?
    private var capacity = 0
    private(set) var count = 0

    init() {}

    deinit {
        storage?.deinitialize(count: count)
        storage?.deallocate()
    }

    var first: Entry? {
        guard let storage, count > 0 else { return nil }
        return storage.pointee
    }

    mutating func insert(_ entry: Entry) {
        if count == capacity { resize(to: max(4, 2 * capacity)) }
        guard let storage else { return }
        count += 1
        siftUp(entry, from: count - 1, in: storage)
        checkWhileSmall()
    }

    /// Removes the entry at `index`, which is 0 for the first entry. There must be one.
    mutating func remove(at index: Int) -> Entry {
        guard let storage, index < count else { preconditionFailure("no entry is at this index of the heap") }
        let removed = (storage + index).move()
        count -= 1
        if index < count {
            let last = (storage + count).move()
            if last.isBefore(removed) {
                siftUp(last, from: index, in: storage)
            } else {
                siftDown(last, from: index, in: storage)
            }
        } else if count == 0, capacity > 1024 {
            // The memory follows the number of entries, not its maximum.
            resize(to: 4)
        }
        checkWhileSmall()
        return removed
    }

    /// Removes the entries that satisfy `isUnwanted`, in O(n).
    mutating func removeAll(where isUnwanted: (Entry) -> Bool) {
        guard let storage else { return }
        var kept = 0
        for index in 0..<count {
            let entry = (storage + index).move()
            if isUnwanted(entry) { continue }
            (storage + kept).initialize(to: entry)
            kept += 1
        }
        count = kept
        for index in (0..<count).reversed() { siftDown((storage + index).move(), from: index, in: storage) }
        checkWhileSmall()
    }

    /// The number of entries that satisfy `condition`.
    func count(where condition: (Entry) -> Bool) -> Int {
        guard let storage else { return 0 }
        return (0..<count).count { condition(storage[$0]) }
    }

    /// Stores `entry` at `start`, where no entry is, or nearer to the root.
    private func siftUp(_ entry: Entry, from start: Int, in storage: UnsafeMutablePointer<Entry>) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 4
            guard entry.isBefore(storage[parent]) else { break }
            (storage + index).moveInitialize(from: storage + parent, count: 1)
            storage[index].didMove(to: index)
            index = parent
        }
        (storage + index).initialize(to: entry)
        entry.didMove(to: index)
    }

    /// Stores `entry` at `start`, where no entry is, or further from the root.
    private func siftDown(_ entry: Entry, from start: Int, in storage: UnsafeMutablePointer<Entry>) {
        var index = start
        while true {
            let child = 4 * index + 1
            guard child < count else { break }
            var first = child
            for other in (child + 1)..<max(child + 1, min(child + 4, count))
            where storage[other].isBefore(storage[first]) {
                first = other
            }
            guard storage[first].isBefore(entry) else { break }
            (storage + index).moveInitialize(from: storage + first, count: 1)
            storage[index].didMove(to: index)
            index = first
        }
        (storage + index).initialize(to: entry)
        entry.didMove(to: index)
    }

    private mutating func resize(to capacity: Int) {
        let other = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        if let storage {
            other.moveInitialize(from: storage, count: count)
            storage.deallocate()
        }
        (storage, self.capacity) = (other, capacity)
    }

    /// Traps in a debug build if an entry precedes its parent.
    func checkInvariants() {
        #if DEBUG
        guard let storage else { return precondition(count == 0 && capacity == 0, "a heap without memory has entries") }
        precondition(count <= capacity, "a heap has more entries than memory")
        for index in 1..<max(1, count) {
            precondition(!storage[index].isBefore(storage[(index - 1) / 4]), "an entry of a heap precedes its parent")
        }
        #endif
    }

    /// Checks in linear time, so only while the heap is small.
    private func checkWhileSmall() {
        if count <= 32 { checkInvariants() }
    }
}
