import TestSupport
import Testing

@testable import RxEngine

@Suite struct LockTests {
    // Unchecked: the lock under test guards `count`.
    private final class Counted: @unchecked Sendable {
        let lock = Lock()
        var count = 0
    }

    @Test func lockExcludesOtherThreads() {
        let counted = Counted()
        inParallel(4) { _ in
            for _ in 0..<20_000 { counted.lock.locked { counted.count += 1 } }
        }
        #expect(counted.lock.locked { counted.count } == 80_000)
    }

    @Test func errorInsideReleasesLock() {
        let counted = Counted()
        #expect(throws: TestError.self) { try counted.lock.locked { throw TestError() } }
        #expect(counted.lock.locked { true })
    }

    /// The lock is held longer than a thread spins: the waiting threads sleep and are woken.
    @Test func threadThatWaitsLongSleepsAndIsWoken() async throws {
        let counted = Counted()
        let order = Cell<[Int]>([])
        let isIn = Cell(false)
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
