import Glibc
import Synchronization
import TestSupport
import Testing

@testable import RxEngine

@Suite struct GateTests {
    // Unchecked: touched inside the gate only.
    private final class Gated: @unchecked Sendable {
        let gate = Gate()
        var log: [Int] = []
        var isIn = false

        /// - Parameter isUsed: whether it was passed so often before that it is the calling thread's.
        init(isUsed: Bool = false) {
            guard isUsed else { return }
            for _ in 0...Regular.habit {
                let isIn = gate.enter()
                #expect(isIn)
                gate.leave()
            }
        }

        func take(_ value: Int, _ inside: () -> Void = {}) {
            #expect(!isIn)
            isIn = true
            log.append(value)
            inside()
            isIn = false
        }

        func send(_ value: Int) {
            if gate.enter() {
                take(value)
                gate.leave()
            } else {
                gate.post { self.take(value) }
            }
        }
    }

    @Test(arguments: [false, true]) func whatComesFromInsideComesAfterwardsInOrder(isUsed: Bool) {
        let gated = Gated(isUsed: isUsed)
        let isIn = gated.gate.enter()
        #expect(isIn)
        gated.take(1) {
            gated.send(2)
            gated.send(3)
            #expect(gated.log == [1])
        }
        gated.gate.leave()
        #expect(gated.log == [1, 2, 3])
        gated.send(4)
        #expect(gated.log == [1, 2, 3, 4])
    }

    @Test(arguments: [false, true]) func whatIsPostedWhereNobodyIsRunsAtOnce(isUsed: Bool) {
        let gated = Gated(isUsed: isUsed)
        gated.gate.post { gated.take(1) }
        #expect(gated.log == [1])
    }

    @Test(arguments: [false, true]) func aMillionPostsFromInsideNeedNoStack(isUsed: Bool) {
        let gated = Gated(isUsed: isUsed)
        let left = Box(200_000)
        @Sendable func again() {
            left.update { $0 -= 1 }
            if left.value > 0 { gated.gate.post(again) }
        }
        gated.gate.post(again)
        #expect(left.value == 0)
    }

    @Test func betweenThreadsNothingIsLostOrOvertaken() {
        for _ in 0..<10 {
            let gated = Gated()
            inParallel(4) { thread in
                for number in 0..<10_000 { gated.send(thread * 10_000 + number) }
            }
            #expect(gated.log.count == 40_000)
            for thread in 0..<4 {
                let own = gated.log.filter { $0 / 10_000 == thread }
                #expect(zip(own, own.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }

    /// The thread whose gate it is stays inside while another comes: that leaves its work there, and so do all who
    /// follow.
    @Test func whoFindsTheRegularInsideLeavesItToThat() {
        let gated = Gated(isUsed: true)
        let isIn = gated.gate.enter()
        #expect(isIn)
        gated.take(1) {
            for thread in 0..<3 { inParallel(1) { _ in gated.send(2 + thread) } }
            gated.send(5)
            #expect(gated.log == [1])
        }
        gated.gate.leave()
        #expect(gated.log == [1, 2, 3, 4, 5])
        inParallel(1) { _ in gated.send(6) }
        gated.send(7)
        #expect(gated.log == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test func whoComesWhileTheRegularIsAwayGoesInAtOnce() {
        for isPosted in [false, true] {
            let gated = Gated(isUsed: true)
            inParallel(1) { _ in
                if isPosted { gated.gate.post { gated.take(1) } } else { gated.send(1) }
            }
            #expect(gated.log == [1])
            gated.send(2)
            #expect(gated.log == [1, 2])
        }
    }

    /// The same at every moment that there is: a gate that is one thread's, until others come.
    @Test func nothingIsLostWhileTheRegularIsDismissed() {
        let gates = (0..<150).map { _ in Gated() }
        let turn = Atomic(0)
        let arrived = Atomic(0)
        inParallel(3) { thread in
            for (number, gated) in gates.enumerated() {
                if thread == 0 {
                    for value in 0..<Int(Regular.habit) + 60 {
                        if value == Int(Regular.habit) + 3 { turn.store(number + 1, ordering: .releasing) }
                        gated.send(value)
                    }
                } else {
                    while turn.load(ordering: .acquiring) <= number { sched_yield() }
                    for value in 0..<20 { gated.send(thread * 1000 + value) }
                }
                arrived.add(1, ordering: .acquiringAndReleasing)
                while arrived.load(ordering: .acquiring) < 3 * (number + 1) { sched_yield() }
                if thread == 0, gated.log.count != Int(Regular.habit) + 100 { Issue.record("\(gated.log.count)") }
            }
        }
        for gated in gates {
            for thread in 0..<3 {
                let own = gated.log.filter { $0 / 1000 == thread }
                #expect(zip(own, own.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }

    /// The works of another thread keep coming for as long as the call runs them: each waits until that thread has
    /// posted more. A call that did not hand over would only return when that thread gives up.
    @Test func callReturnsWhileAnotherThreadKeepsPosting() {
        let gate = Gate()
        let posted = Atomic(0)
        let run = Atomic(0)
        let hasReturned = Atomic(false)
        let gaveUp = Atomic(false)
        let caller = Box(pthread_t())
        let isIn = Atomic(false)
        inParallel(2) { thread in
            if thread == 0 {
                caller.update { $0 = pthread_self() }
                let entered = gate.enter()
                #expect(entered)
                isIn.store(true, ordering: .releasing)
                while posted.load(ordering: .acquiring) == 0 { sched_yield() }
                gate.leave()
                hasReturned.store(true, ordering: .releasing)
                return
            }
            while !isIn.load(ordering: .acquiring) { sched_yield() }
            let end = ContinuousClock.now + .seconds(10)
            while !hasReturned.load(ordering: .acquiring) {
                if ContinuousClock.now > end {
                    gaveUp.store(true, ordering: .releasing)
                    break
                }
                gate.post {
                    let number = run.add(1, ordering: .acquiringAndReleasing).newValue
                    guard pthread_self() == caller.value else { return }
                    while posted.load(ordering: .acquiring) <= number, !gaveUp.load(ordering: .acquiring) {
                        sched_yield()
                    }
                }
                posted.add(1, ordering: .acquiringAndReleasing)
            }
        }
        let (hasGivenUp, wasLeft) = (gaveUp.load(ordering: .acquiring), posted.load(ordering: .acquiring))
        #expect(!hasGivenUp)
        let total = run.load(ordering: .acquiring)
        #expect(total == wasLeft)
    }

    /// Only other threads that post take over: a call whose own works post further works runs them all.
    @Test func callKeepsWorksThatOnlyItPosts() {
        let gated = Gated()
        let thread = pthread_self()
        let isElsewhere = Box(false)
        let left = Box(20 * Int(Gate.quota))
        @Sendable func again() {
            if pthread_self() != thread { isElsewhere.update { $0 = true } }
            left.update { $0 -= 1 }
            if left.value > 0 { gated.gate.post(again) }
        }
        gated.gate.post(again)
        #expect(left.value == 0)
        #expect(!isElsewhere.value)
    }

    /// Many handovers between threads that all post: nothing is lost, runs twice or out of order, and none is left
    /// over.
    @Test func worksKeepTheirOrderAcrossHandovers() {
        for _ in 0..<5 {
            let gated = Gated()
            let threads = Box<[pthread_t]>([])
            inParallel(3) { thread in
                for number in 0..<20_000 {
                    gated.gate.pass {
                        gated.take(thread * 100_000 + number)
                        if number % 1_000 == 0 { threads.append(pthread_self()) }
                    }
                }
            }
            #expect(gated.log.count == 60_000)
            for thread in 0..<3 {
                #expect(gated.log.filter { $0 / 100_000 == thread } == (0..<20_000).map { thread * 100_000 + $0 })
            }
            #expect(!gated.isIn)
        }
    }
}
