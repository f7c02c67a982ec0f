import Glibc
import Synchronization
import TestSupport
import Testing

@testable import RxEngine

@Suite struct SerializedDrainTests {
    // Unchecked: the drain serializes all accesses.
    /// A list of values that a drain guards.
    private final class DrainedLog: @unchecked Sendable {
        let drain = SerializedDrain()
        var values: [Int] = []
        var isInside = false

        /// - Parameter isBiased: whether to enter so often first that the drain becomes biased to the calling thread.
        init(isBiased: Bool = false) {
            guard isBiased else { return }
            for _ in 0...BiasedOwner.threshold {
                let isInside = drain.enter()
                #expect(isInside)
                drain.leave()
            }
        }

        func receive(_ value: Int, _ inside: () -> Void = {}) {
            #expect(!isInside)
            isInside = true
            values.append(value)
            inside()
            isInside = false
        }

        func send(_ value: Int) {
            if drain.enter() {
                receive(value)
                drain.leave()
            } else {
                drain.post { self.receive(value) }
            }
        }
    }

    @Test(arguments: [false, true]) func reentrantCallsRunAfterwardsInOrder(isBiased: Bool) {
        let log = DrainedLog(isBiased: isBiased)
        let isInside = log.drain.enter()
        #expect(isInside)
        log.receive(1) {
            log.send(2)
            log.send(3)
            #expect(log.values == [1])
        }
        log.drain.leave()
        #expect(log.values == [1, 2, 3])
        log.send(4)
        #expect(log.values == [1, 2, 3, 4])
    }

    @Test(arguments: [false, true]) func workPostedToIdleDrainRunsAtOnce(isBiased: Bool) {
        let log = DrainedLog(isBiased: isBiased)
        log.drain.post { log.receive(1) }
        #expect(log.values == [1])
    }

    @Test(arguments: [false, true]) func manyReentrantPostsNeedNoStack(isBiased: Bool) {
        let log = DrainedLog(isBiased: isBiased)
        let left = Cell(200_000)
        @Sendable func again() {
            left.update { $0 -= 1 }
            if left.value > 0 { log.drain.post(again) }
        }
        log.drain.post(again)
        #expect(left.value == 0)
    }

    @Test func callsFromSeveralThreadsAllRunInOrder() {
        for _ in 0..<10 {
            let log = DrainedLog()
            inParallel(4) { thread in
                for number in 0..<10_000 { log.send(thread * 10_000 + number) }
            }
            #expect(log.values.count == 40_000)
            for thread in 0..<4 {
                let own = log.values.filter { $0 / 10_000 == thread }
                #expect(zip(own, own.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }

    /// The owner stays inside while other threads send values: they post them, and so does the owner itself.
    @Test func ownerInsideRunsWorkPostedByOtherThreads() {
        let log = DrainedLog(isBiased: true)
        let isInside = log.drain.enter()
        #expect(isInside)
        log.receive(1) {
            for thread in 0..<3 { inParallel(1) { _ in log.send(2 + thread) } }
            log.send(5)
            #expect(log.values == [1])
        }
        log.drain.leave()
        #expect(log.values == [1, 2, 3, 4, 5])
        inParallel(1) { _ in log.send(6) }
        log.send(7)
        #expect(log.values == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test func otherThreadEntersAtOnceWhileOwnerIsOutside() {
        for isPosted in [false, true] {
            let log = DrainedLog(isBiased: true)
            inParallel(1) { _ in
                if isPosted { log.drain.post { log.receive(1) } } else { log.send(1) }
            }
            #expect(log.values == [1])
            log.send(2)
            #expect(log.values == [1, 2])
        }
    }

    /// Other threads enter a biased drain at many different moments.
    @Test func noCallIsLostWhileBiasIsRevoked() {
        let logs = (0..<150).map { _ in DrainedLog() }
        let ready = Atomic(0)
        let arrived = Atomic(0)
        inParallel(3) { thread in
            for (number, log) in logs.enumerated() {
                if thread == 0 {
                    for value in 0..<Int(BiasedOwner.threshold) + 60 {
                        if value == Int(BiasedOwner.threshold) + 3 { ready.store(number + 1, ordering: .releasing) }
                        log.send(value)
                    }
                } else {
                    while ready.load(ordering: .acquiring) <= number { sched_yield() }
                    for value in 0..<20 { log.send(thread * 1000 + value) }
                }
                arrived.add(1, ordering: .acquiringAndReleasing)
                while arrived.load(ordering: .acquiring) < 3 * (number + 1) { sched_yield() }
                if thread == 0, log.values.count != Int(BiasedOwner.threshold) + 100 {
                    Issue.record("\(log.values.count)")
                }
            }
        }
        for log in logs {
            for thread in 0..<3 {
                let own = log.values.filter { $0 / 1000 == thread }
                #expect(zip(own, own.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }

    /// Another thread posts work for as long as the call runs it: each closure waits until that thread has posted more.
    /// A call that did not hand over would only return when that thread stops posting.
    @Test func callReturnsWhileAnotherThreadKeepsPosting() {
        let drain = SerializedDrain()
        let posted = Atomic(0)
        let run = Atomic(0)
        let hasReturned = Atomic(false)
        let gaveUp = Atomic(false)
        let caller = Cell(pthread_t())
        let isInside = Atomic(false)
        inParallel(2) { thread in
            if thread == 0 {
                caller.update { $0 = pthread_self() }
                let entered = drain.enter()
                #expect(entered)
                isInside.store(true, ordering: .releasing)
                while posted.load(ordering: .acquiring) == 0 { sched_yield() }
                drain.leave()
                hasReturned.store(true, ordering: .releasing)
                return
            }
            while !isInside.load(ordering: .acquiring) { sched_yield() }
            let end = ContinuousClock.now + .seconds(10)
            while !hasReturned.load(ordering: .acquiring) {
                if ContinuousClock.now > end {
                    gaveUp.store(true, ordering: .releasing)
                    break
                }
                drain.post {
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

    /// Only other threads that post take over: a call whose posted closures post more runs them all.
    @Test func drainRunsReentrantPostsOnSameThread() {
        let log = DrainedLog()
        let thread = pthread_self()
        let isElsewhere = Cell(false)
        let left = Cell(20 * Int(BatchLimit.maximumCount))
        @Sendable func again() {
            if pthread_self() != thread { isElsewhere.update { $0 = true } }
            left.update { $0 -= 1 }
            if left.value > 0 { log.drain.post(again) }
        }
        log.drain.post(again)
        #expect(left.value == 0)
        #expect(!isElsewhere.value)
    }

    /// Many handovers between threads that all post: every closure runs once, in order.
    @Test func workKeepsItsOrderAcrossHandovers() {
        for _ in 0..<5 {
            let log = DrainedLog()
            let threads = Cell<[pthread_t]>([])
            inParallel(3) { thread in
                for number in 0..<20_000 {
                    log.drain.run {
                        log.receive(thread * 100_000 + number)
                        if number % 1_000 == 0 { threads.append(pthread_self()) }
                    }
                }
            }
            #expect(log.values.count == 60_000)
            for thread in 0..<3 {
                #expect(log.values.filter { $0 / 100_000 == thread } == (0..<20_000).map { thread * 100_000 + $0 })
            }
            #expect(!log.isInside)
        }
    }
}
