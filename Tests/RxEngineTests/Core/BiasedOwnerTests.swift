import Glibc
import Synchronization
import TestSupport
import Testing

@testable import RxEngine

@Suite struct BiasedOwnerTests {
    // Unchecked: all state is atomic, and the object keeps it at one address.
    /// A resource that a thread can own, with the state of a test.
    private final class Resource: @unchecked Sendable {
        let owner = BiasedOwner()
        let isTornDown = Atomic(false)
        let isClaimed = Atomic(false)
        let seen = Atomic<UInt>(0)

        var isOwnedHere: Bool { owner.isOwner(CurrentThread.number) }
        var isInside: Bool { owner.isInside }
        var valueInUse: UInt { owner.valueInUse() }
        var valueSeenByAnotherThread: UInt {
            inParallel(1) { _ in self.seen.store(self.valueInUse, ordering: .relaxed) }
            return seen.load(ordering: .relaxed)
        }

        func claim() -> Bool { owner.claim(CurrentThread.number) }
        func enter(_ value: UInt) -> Bool { owner.enter(using: value, as: CurrentThread.number) }
        func leave() -> Bool { owner.leave(as: CurrentThread.number) }
        func leaveIfBiased() -> Bool? { owner.leaveIfBiased() }
    }

    @Test func ownerIsInsideUntilItLeaves() {
        let resource = Resource()
        #expect(!resource.isOwnedHere)
        #expect(resource.valueInUse == 0)
        #expect(resource.claim() == ProcessBarrier.isAvailable)
        guard ProcessBarrier.isAvailable else { return }
        #expect(resource.isOwnedHere)
        #expect(!resource.claim())
        #expect(resource.enter(7))
        #expect(resource.isInside)
        #expect(resource.valueInUse == 7)
        #expect(resource.leave())
        #expect(!resource.isInside)
        #expect(resource.valueInUse == 0)
        #expect(resource.isOwnedHere)
        #expect(resource.enter(8))
        #expect(resource.leaveIfBiased() == true)
    }

    @Test func anotherThreadRevokesOwner() {
        let resource = Resource()
        guard resource.claim() else { return }
        #expect(resource.enter(7))
        #expect(resource.valueSeenByAnotherThread == 7)
        #expect(resource.leaveIfBiased() == nil)
        #expect(!resource.leave())
        #expect(!resource.isOwnedHere)
        #expect(!resource.claim())
        #expect(resource.valueSeenByAnotherThread == 0)
        #expect(!resource.enter(7))
    }

    /// The owner never enters a resource that the revoking thread has torn down because it saw no value in use, and an
    /// owner whose value was seen learns of the revocation when it leaves.
    @Test func ownerAndRevokingThreadAgree() {
        guard ProcessBarrier.isAvailable else { return }
        let resources = (0..<500).map { _ in Resource() }
        let wrong = Atomic(0)
        inParallel(2) { thread in
            for (number, resource) in resources.enumerated() {
                if thread == 1 {
                    while !resource.isClaimed.load(ordering: .acquiring) { sched_yield() }
                    for _ in 0..<number % 97 where wrong.load(ordering: .relaxed) > 0 {}
                    let seen = resource.owner.revoke()
                    if seen == 0 { resource.isTornDown.store(true, ordering: .releasing) }
                    resource.seen.store(seen + 1, ordering: .releasing)
                    continue
                }
                _ = resource.claim()
                resource.isClaimed.store(true, ordering: .releasing)
                var isRevoked = false
                while !isRevoked {
                    if resource.enter(1) {
                        if resource.isTornDown.load(ordering: .relaxed) { wrong.add(1, ordering: .relaxed) }
                        isRevoked = !resource.leave()
                        if isRevoked { continue }
                        // The value of an owner that leaves without learning of the revocation was not seen.
                        if resource.seen.load(ordering: .acquiring) == 2 { wrong.add(1, ordering: .relaxed) }
                    } else {
                        isRevoked = true
                        _ = resource.leave()
                    }
                }
                while resource.seen.load(ordering: .acquiring) == 0 { sched_yield() }
            }
        }
        let errors = wrong.load(ordering: .relaxed)
        #expect(errors == 0)
    }
}
