/// The timers of a ``TimerOwner``, by deadline and, among equal deadlines, by insertion.
///
/// Every timer stores its index, so that any timer is removed in O(log n), and the last one inserted in O(1). The heap
/// retains its timers. The caller must release the timers that the heap returns after it has unlocked the lock that
/// guards the heap.
struct TimerHeap: ~Copyable {
    private struct Entry: HeapEntry {
        let deadline: UInt64
        let sequenceNumber: UInt64
        // Unmanaged, so that moving an entry copies plain bytes.
        let timer: Unmanaged<TimerItem>

        func isBefore(_ other: Entry) -> Bool {
            deadline < other.deadline || deadline == other.deadline && sequenceNumber < other.sequenceNumber
        }

        func didMove(to index: Int) {
            timer._withUnsafeGuaranteedRef { $0.heapIndex = index }
        }
    }

    private var heap = Heap<Entry>()
    private var lastSequenceNumber: UInt64 = 0

    /// The earliest deadline.
    var earliest: UInt64? { heap.first?.deadline }

    /// Inserts a timer that is in no heap.
    mutating func insert(_ timer: TimerItem, at deadline: UInt64) {
        lastSequenceNumber += 1
        heap.insert(Entry(deadline: deadline, sequenceNumber: lastSequenceNumber, timer: .passRetained(timer)))
    }

    /// Removes a timer.
    ///
    /// - Returns: the timer, or `nil` if it was not in the heap.
    mutating func remove(_ timer: TimerItem) -> TimerItem? {
        timer.heapIndex < 0 ? nil : remove(at: timer.heapIndex).timer.takeRetainedValue()
    }

    /// Removes the first timer if its deadline is not after `time`.
    ///
    /// - Returns: the timer and its deadline.
    mutating func removeFirst(dueBy time: UInt64) -> (timer: TimerItem, deadline: UInt64)? {
        guard let first = heap.first, first.deadline <= time else { return nil }
        _ = remove(at: 0)
        return (first.timer.takeRetainedValue(), first.deadline)
    }

    private mutating func remove(at index: Int) -> Entry {
        let removed = heap.remove(at: index)
        removed.timer._withUnsafeGuaranteedRef {
            assert($0.heapIndex == index, "the heap index of a timer is wrong")
            $0.heapIndex = -1
        }
        return removed
    }

    /// Traps in a debug build if the heap is not in order.
    func checkInvariants() {
        heap.checkInvariants()
    }
}
