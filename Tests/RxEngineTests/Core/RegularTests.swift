import Glibc
import Synchronization
import TestSupport
import Testing

@testable import RxEngine

@Suite struct RegularTests {
    // Unchecked: a place that nobody moves.
    private final class Place: @unchecked Sendable {
        let regular = Regular()
        let isGone = Atomic(false)
        let isTaken = Atomic(false)
        let seen = Atomic<UInt>(0)

        var isMine: Bool { regular.is(Regular.caller) }
        var isIn: Bool { regular.isIn }
        var whereabouts: UInt { regular.whereabouts() }
        var whereaboutsSeenFromElsewhere: UInt {
            inParallel(1) { _ in self.seen.store(self.whereabouts, ordering: .relaxed) }
            return seen.load(ordering: .relaxed)
        }

        func become() -> Bool { regular.become(Regular.caller) }
        func comeIn(_ place: UInt) -> Bool { regular.comeIn(place, Regular.caller) }
        func leave() -> Bool { regular.leave(Regular.caller) }
        func leaveOnly() -> Bool? { regular.leave() }
    }

    @Test func itIsInUntilItLeaves() {
        let place = Place()
        #expect(!place.isMine)
        #expect(place.whereabouts == 0)
        #expect(place.become() == ProcessBarrier.isAvailable)
        guard ProcessBarrier.isAvailable else { return }
        #expect(place.isMine)
        #expect(!place.become())
        #expect(place.comeIn(7))
        #expect(place.isIn)
        #expect(place.whereabouts == 7)
        #expect(place.leave())
        #expect(!place.isIn)
        #expect(place.whereabouts == 0)
        #expect(place.isMine)
        #expect(place.comeIn(8))
        #expect(place.leaveOnly() == true)
    }

    @Test func anotherThreadDismissesIt() {
        let place = Place()
        guard place.become() else { return }
        #expect(place.comeIn(7))
        #expect(place.whereaboutsSeenFromElsewhere == 7)
        #expect(place.leaveOnly() == nil)
        #expect(!place.leave())
        #expect(!place.isMine)
        #expect(!place.become())
        #expect(place.whereaboutsSeenFromElsewhere == 0)
        #expect(!place.comeIn(7))
    }

    /// The two sides never both believe that the other has not been there: what is torn down because the regular is not
    /// in is never come into, and a regular that was seen to be in knows when it leaves.
    @Test func theTwoSidesAgree() {
        guard ProcessBarrier.isAvailable else { return }
        let places = (0..<500).map { _ in Place() }
        let wrong = Atomic(0)
        inParallel(2) { thread in
            for (number, place) in places.enumerated() {
                if thread == 1 {
                    while !place.isTaken.load(ordering: .acquiring) { sched_yield() }
                    for _ in 0..<number % 97 where wrong.load(ordering: .relaxed) > 0 {}
                    let seen = place.regular.dismiss()
                    if seen == 0 { place.isGone.store(true, ordering: .releasing) }
                    place.seen.store(seen + 1, ordering: .releasing)
                    continue
                }
                _ = place.become()
                place.isTaken.store(true, ordering: .releasing)
                var learned = false
                while !learned {
                    if place.comeIn(1) {
                        if place.isGone.load(ordering: .relaxed) { wrong.add(1, ordering: .relaxed) }
                        learned = !place.leave()
                        if learned { continue }
                        // Whoever leaves without learning of it was not seen.
                        if place.seen.load(ordering: .acquiring) == 2 { wrong.add(1, ordering: .relaxed) }
                    } else {
                        learned = true
                        _ = place.leave()
                    }
                }
                while place.seen.load(ordering: .acquiring) == 0 { sched_yield() }
            }
        }
        let errors = wrong.load(ordering: .relaxed)
        #expect(errors == 0)
    }
}
