/// Timers in the order of their deadlines, and among equal deadlines in the order they came.
///
/// A heap with four children a node: half as deep as one with two, and the children of a node lie side by side. Every
/// timer knows its place, so that it is taken out in O(log n) wherever it is, and in O(1) where it came last. The heap
/// holds its timers; what it gives back, its caller lets go of, outside the lock that guards the heap.
struct TimerHeap {
    private struct Entry {
        let deadline: UInt64
        let number: UInt64
        // Unmanaged, so that an entry moves as the plain bytes it is.
        let timer: Unmanaged<TimerItem>

        func isBefore(_ other: Entry) -> Bool {
            deadline < other.deadline || deadline == other.deadline && number < other.number
        }
    }

    private var entries: [Entry] = []
    private var lastNumber: UInt64 = 0

    /// The first deadline.
    var earliest: UInt64? { entries.first?.deadline }

    /// Adds a timer that is in no heap.
    mutating func insert(_ timer: TimerItem, at deadline: UInt64) {
        lastNumber += 1
        entries.append(Entry(deadline: deadline, number: lastNumber, timer: .passRetained(timer)))
        rise(entries[entries.count - 1], from: entries.count - 1)
    }

    /// - Returns: the timer, where it was in the heap.
    mutating func remove(_ timer: TimerItem) -> TimerItem? {
        timer.place < 0 ? nil : take(at: timer.place).timer.takeRetainedValue()
    }

    /// - Returns: the first timer and its deadline, where that is not after `time`.
    mutating func removeFirst(dueBy time: UInt64) -> (timer: TimerItem, deadline: UInt64)? {
        guard let first = entries.first, first.deadline <= time else { return nil }
        _ = take(at: 0)
        return (first.timer.takeRetainedValue(), first.deadline)
    }

    private mutating func take(at place: Int) -> Entry {
        let taken = entries[place]
        let last = entries.removeLast()
        if place < entries.count {
            if last.isBefore(taken) { rise(last, from: place) } else { sink(last, from: place) }
        } else if entries.isEmpty, entries.capacity > 1024 {
            // Memory follows what is armed, not what ever was.
            entries = []
        }
        taken.timer._withUnsafeGuaranteedRef { $0.place = -1 }
        return taken
    }

    /// Puts `entry` at `start` or nearer to the root.
    private mutating func rise(_ entry: Entry, from start: Int) {
        entries.withUnsafeMutableBufferPointer { entries in
            var place = start
            while place > 0 {
                let parent = (place - 1) / 4
                guard entry.isBefore(entries[parent]) else { break }
                Self.put(entries[parent], at: place, in: entries)
                place = parent
            }
            Self.put(entry, at: place, in: entries)
        }
    }

    /// Puts `entry` at `start` or further from the root.
    private mutating func sink(_ entry: Entry, from start: Int) {
        entries.withUnsafeMutableBufferPointer { entries in
            var place = start
            while true {
                let child = 4 * place + 1
                guard child < entries.count else { break }
                var first = child
                for other in (child + 1)..<max(child + 1, min(child + 4, entries.count))
                where entries[other].isBefore(entries[first]) {
                    first = other
                }
                guard entries[first].isBefore(entry) else { break }
                Self.put(entries[first], at: place, in: entries)
                place = first
            }
            Self.put(entry, at: place, in: entries)
        }
    }

    private static func put(_ entry: Entry, at place: Int, in entries: UnsafeMutableBufferPointer<Entry>) {
        entries[place] = entry
        entry.timer._withUnsafeGuaranteedRef { $0.place = place }
    }
}
