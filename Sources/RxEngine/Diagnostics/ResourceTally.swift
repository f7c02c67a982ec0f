import Synchronization

extension Resources {
    /// Where an object is counted: with its operator, or with its kind.
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

        fileprivate static let count = Kind.allCases.count + 2 * Operator.allCases.count
    }

    // Unchecked: the memory holds atomics; its owner frees it when nobody can know it any more.
    /// One counter a slot.
    ///
    /// A thread has one of its own, which it alone writes: counting then costs an addition, where counters for
    /// everybody would have every thread wait for the others' caches. It may fall below zero, for what one thread makes
    /// may end on another; the sum over all threads is exact.
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

        /// For the thread that owns the tally.
        @inline(__always)
        func add(_ difference: Int, to slot: Slot) {
            let counter = counters + slot.number
            counter.pointee.store(counter.pointee.load(ordering: .relaxed) &+ difference, ordering: .relaxed)
        }

        /// For a tally that several threads write.
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
        // Unsafe in name only: touched under the lock.
        private nonisolated(unsafe) static var tallies: [ObjectIdentifier: Tally] = [:]
        /// What the threads that have ended leave behind.
        private static let past = Tally()

        /// A tally for the calling thread.
        static func makeTally() -> ThreadTally {
            let new = ThreadTally()
            lock.locked { tallies[ObjectIdentifier(new)] = new.tally }
            return new
        }

        fileprivate static func end(_ ended: ThreadTally) {
            lock.locked {
                tallies[ObjectIdentifier(ended)] = nil
                past.add(ended.tally)
            }
            ended.tally.free()
        }

        static func sum(_ slots: [Slot]) -> Int {
            lock.locked {
                slots.reduce(0) { sum, slot in tallies.values.reduce(sum + past[slot]) { $0 + $1[slot] } }
            }
        }
    }

    /// A thread's tally, which ends with the thread.
    final class ThreadTally: Sendable {
        let tally = Tally()

        deinit {
            Threads.end(self)
        }
    }
}

extension Resources.Kind {
    /// What is counted as of this kind. A subject is an observable too, and counts as both.
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
