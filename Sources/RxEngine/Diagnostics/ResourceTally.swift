import Synchronization

extension Resources {
    /// Where an object is counted: by its kind, and by the operator that it belongs to. What it has none of is counted
    /// in a place of nobody's, which spares the counting a question.
    struct Slots {
        let kind: UInt16
        let operation: UInt16

        @inline(__always)
        init(_ kind: Kind) {
            self.init(kind: kind.slot, operation: Slots.nobody)
        }

        @inline(__always)
        init(observableOf operation: Operator) {
            self.init(kind: Kind.observable.slot, operation: operation.observablesSlot)
        }

        @inline(__always)
        init(runOf operation: Operator) {
            self.init(kind: Slots.nobody, operation: operation.runsSlot)
        }

        @inline(__always)
        private init(kind: UInt16, operation: UInt16) {
            self.kind = kind
            self.operation = operation
        }

        fileprivate static let nobody: UInt16 = 0
        static let count = 1 + Kind.allCases.count + 2 * Operator.allCases.count
    }

    // Unchecked: the memory holds atomics; its owner frees it when nobody can know it any more.
    /// One counter a slot.
    ///
    /// A thread has one of its own, which it alone writes: counting then costs an addition, where counters for everybody
    /// would have every thread wait for the others' caches. It may fall below zero, for what one thread makes may end on
    /// another; the sum over all threads is exact.
    struct Tally: @unchecked Sendable {
        private let counters: UnsafeMutablePointer<Atomic<Int>>

        init() {
            counters = .allocate(capacity: Slots.count)
            for slot in 0..<Slots.count { (counters + slot).initialize(to: Atomic(0)) }
        }

        func free() {
            counters.deinitialize(count: Slots.count)
            counters.deallocate()
        }

        subscript(slot: UInt16) -> Int {
            counters[Int(slot)].load(ordering: .relaxed)
        }

        /// For the thread that owns the tally.
        @inline(__always)
        func add(_ difference: Int, to slots: Slots) {
            add(difference, to: slots.kind)
            add(difference, to: slots.operation)
        }

        @inline(__always)
        private func add(_ difference: Int, to slot: UInt16) {
            let counter = counters + Int(slot)
            counter.pointee.store(counter.pointee.load(ordering: .relaxed) &+ difference, ordering: .relaxed)
        }

        /// For a tally that several threads write.
        func addFromAnywhere(_ difference: Int, to slots: Slots) {
            counters[Int(slots.kind)].wrappingAdd(difference, ordering: .relaxed)
            counters[Int(slots.operation)].wrappingAdd(difference, ordering: .relaxed)
        }

        fileprivate func add(_ other: Tally) {
            for slot in 0..<Slots.count {
                counters[slot].wrappingAdd(other.counters[slot].load(ordering: .relaxed), ordering: .relaxed)
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

        static func sum(_ slot: UInt16) -> Int {
            lock.locked { tallies.values.reduce(past[slot]) { $0 + $1[slot] } }
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
    @inline(__always)
    var slot: UInt16 { 1 + UInt16(truncatingIfNeeded: rawValue) }
}

extension Operator {
    @inline(__always)
    var observablesSlot: UInt16 { UInt16(1 + Resources.Kind.allCases.count) + rawValue }

    @inline(__always)
    var runsSlot: UInt16 { observablesSlot + UInt16(Operator.allCases.count) }
}
