import Synchronization

extension Resources {
    /// The counter of an object: of its operator or of its kind.
    struct Slot {
        fileprivate let number: Int

        @inline(__always)
        init(_ kind: Kind) {
            number = kind.rawValue
        }

        @inline(__always)
        init(observableOf operation: Operator) {
            number = Kind.allCases.count + 2 * Int(operation.rawValue)
        }

        @inline(__always)
        init(runOf operation: Operator) {
            number = Kind.allCases.count + 2 * Int(operation.rawValue) + 1
        }

        /// The operator that the slot counts.
        var operation: Operator? {
            let number = number - Kind.allCases.count
            return number < 0 ? nil : Operator(rawValue: UInt16(number / 2))
        }

        fileprivate static let count = Kind.allCases.count + 2 * Operator.allCases.count
    }

    // Unchecked: the memory holds atomics, and its owner frees it when no other thread can have a reference to it.
    /// One counter for each slot.
    ///
    /// Each thread has its own tally, which it alone writes: counting then costs an addition, whereas threads that
    /// share counters would wait for each other's caches. A counter may fall below zero, because an object that one
    /// thread makes may be freed on another; the sum over all threads is exact.
    struct Tally: @unchecked Sendable {
        private let counters: UnsafeMutablePointer<Atomic<Int>>

        init() {
            counters = .allocate(capacity: Slot.count)
            for number in 0..<Slot.count { (counters + number).initialize(to: Atomic(0)) }
        }

        func free() {
            counters.deinitialize(count: Slot.count)
            counters.deallocate()
        }

        subscript(slot: Slot) -> Int {
            counters[slot.number].load(ordering: .relaxed)
        }

        /// Adds to a counter. Only the thread that owns the tally may call this.
        @inline(__always)
        func add(_ difference: Int, to slot: Slot) {
            let counter = counters + slot.number
            counter.pointee.store(counter.pointee.load(ordering: .relaxed) &+ difference, ordering: .relaxed)
        }

        /// Adds to a counter of a tally that several threads write.
        func addFromAnywhere(_ difference: Int, to slot: Slot) {
            counters[slot.number].wrappingAdd(difference, ordering: .relaxed)
        }

        fileprivate func add(_ other: Tally) {
            for number in 0..<Slot.count {
                counters[number].wrappingAdd(other.counters[number].load(ordering: .relaxed), ordering: .relaxed)
            }
        }
    }

    /// The tallies of all threads.
    enum Threads {
        private static let lock = Lock()
        // Safe although marked unsafe: `lock` guards it.
        private nonisolated(unsafe) static var tallies: [ObjectIdentifier: Tally] = [:]
        /// The sum of the tallies of threads that have ended.
        private static let endedThreads = Tally()

        /// Makes a tally for the calling thread.
        static func makeTally() -> ThreadTally {
            let new = ThreadTally()
            lock.locked { tallies[ObjectIdentifier(new)] = new.tally }
            return new
        }

        fileprivate static func end(_ ended: ThreadTally) {
            lock.locked {
                tallies[ObjectIdentifier(ended)] = nil
                endedThreads.add(ended.tally)
            }
            ended.tally.free()
        }

        static func sum(_ slots: [Slot]) -> Int {
            lock.locked {
                slots.reduce(0) { sum, slot in tallies.values.reduce(sum + endedThreads[slot]) { $0 + $1[slot] } }
            }
        }
    }

    /// A thread's tally. It is freed with the thread.
    final class ThreadTally: Sendable {
        let tally = Tally()

        deinit {
            Threads.end(self)
        }
    }
}

extension Resources.Kind {
    /// The slots of this kind. A subject is an observable too, and counts as both.
    var slots: [Resources.Slot] {
        switch self {
        case .observable: Operator.allCases.map { Resources.Slot(observableOf: $0) }
        case .subject:
            [.asyncSubject, .behaviorSubject, .publishSubject, .replaySubject].map { Resources.Slot(observableOf: $0) }
        case .subscription, .disposable, .timer: [Resources.Slot(self)]
        case .other: []
        }
    }
}
