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

    /// The thread whose gate it is stays inside while another comes: that leaves its work there, and so do all who follow.
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
}
