import TestSupport
import Testing

@testable import RxEngine

@Suite struct LockTests {
    // Unchecked: the point of the test.
    private final class Counted: @unchecked Sendable {
        let lock = Lock()
        var count = 0
    }

    @Test func onlyOneIsIn() {
        let counted = Counted()
        inParallel(4) { _ in
            for _ in 0..<20_000 { counted.lock.locked { counted.count += 1 } }
        }
        #expect(counted.lock.locked { counted.count } == 80_000)
    }

    @Test func anErrorFreesIt() {
        let counted = Counted()
        #expect(throws: TestError.self) { try counted.lock.locked { throw TestError() } }
        #expect(counted.lock.locked { true })
    }

    /// Longer than anyone would spin: the others sleep, and are woken.
    @Test func whoWaitsLongSleepsAndIsWoken() async throws {
        let counted = Counted()
        let order = Box<[Int]>([])
        let isIn = Box(false)
        let holder = Thread {
            counted.lock.locked {
                isIn.update { $0 = true }
                while order.value.count < 1 {}
                let end = ContinuousClock.now + .milliseconds(20)
                while ContinuousClock.now < end {}
            }
        }
        try await eventually("the lock is held") { isIn.value }
        let waiters = (0..<3).map { number in
            Thread {
                if number == 0 { order.append(-1) }
                counted.lock.locked { order.append(number) }
            }
        }
        for thread in waiters + [holder] { thread.join() }
        #expect(order.value.first == -1)
        #expect(Set(order.value) == [-1, 0, 1, 2])
    }
}
