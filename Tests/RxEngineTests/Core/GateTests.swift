import TestSupport
import Testing

@testable import RxEngine

@Suite struct GateTests {
    // Unchecked: touched inside the gate only.
    private final class Gated: @unchecked Sendable {
        let gate = Gate()
        var log: [Int] = []
        var isIn = false

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

    @Test func whatComesFromInsideComesAfterwardsInOrder() {
        let gated = Gated()
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

    @Test func whatIsPostedWhereNobodyIsRunsAtOnce() {
        let gated = Gated()
        gated.gate.post { gated.take(1) }
        #expect(gated.log == [1])
    }

    @Test func aMillionPostsFromInsideNeedNoStack() {
        let gated = Gated()
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
}
