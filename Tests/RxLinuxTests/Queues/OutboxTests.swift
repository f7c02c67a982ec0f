import Dispatch
import RxLinux
import TestSupport
import Testing

struct OutboxTests {
    @Test func itemsAreProcessedInOrder() {
        let log = Cell<[Int]>([])
        let outbox = Outbox<Int>("test", capacity: 1000) { log.append($0) }
        for number in 0..<1000 { #expect(outbox.put(number)) }
        #expect(outbox.drain(within: .seconds(10)))
        #expect(log.value == Array(0..<1000))
        #expect(outbox.queued == 0 && outbox.dropped == 0)
    }

    /// The worker is blocked while the producer works, which therefore did not wait for it.
    @Test func fullOutboxDropsWithoutWaiting() {
        let log = Cell<[Int]>([])
        let (begun, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let outbox = Outbox<Int>("test", capacity: 3) { number in
            begun.signal()
            go.wait()
            log.append(number)
        }
        #expect(outbox.put(0))
        begun.wait()
        #expect([1, 2, 3, 4].map { outbox.put($0) } == [true, true, false, false])
        #expect(outbox.queued == 3 && outbox.dropped == 2)
        #expect(!outbox.drain(within: .milliseconds(1)))

        for _ in 0..<3 { go.signal() }
        #expect(outbox.drain(within: .seconds(10)))
        #expect(log.value == [0, 1, 2])
        #expect(outbox.queued == 0 && outbox.dropped == 2)

        #expect(outbox.put(5))
        go.signal()
        #expect(outbox.drain(within: .seconds(10)))
        #expect(log.value == [0, 1, 2, 5])
    }

    @Test func itemInProgressCountsTowardsLimit() {
        let (begun, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let outbox = Outbox<Int>("test", capacity: 1) { _ in
            begun.signal()
            go.wait()
        }
        #expect(outbox.put(0))
        begun.wait()
        #expect(!outbox.put(1))
        go.signal()
        #expect(outbox.drain(within: .seconds(10)))
    }

    @Test func drainOfEmptyOutboxIsImmediate() {
        #expect(Outbox<Int>("test", capacity: 1) { _ in }.drain(within: .seconds(10)))
    }

    @Test func itemsAddedByWorkAreProcessed() {
        let log = Cell<[Int]>([])
        let itself = Cell<Outbox<Int>?>(nil)
        let outbox = Outbox<Int>("test", capacity: 10) { number in
            log.append(number)
            if number > 0 { itself.value?.put(number - 1) }
        }
        itself.update { $0 = outbox }
        outbox.put(3)
        #expect(outbox.drain(within: .seconds(10)))
        itself.update { $0 = nil }
        #expect(log.value == [3, 2, 1, 0])
    }

    @Test func manyProducersLoseNothing() {
        let log = Cell<[Int]>([])
        let outbox = Outbox<Int>("test", capacity: 100_000) { log.append($0) }
        DispatchQueue.concurrentPerform(iterations: 4) { producer in
            for number in 0..<500 { outbox.put(producer * 1000 + number) }
        }
        #expect(outbox.drain(within: .seconds(10)))
        for producer in 0..<4 {
            #expect(log.value.filter { $0 / 1000 == producer } == (0..<500).map { producer * 1000 + $0 })
        }
    }

    /// Another producer has scheduled the worker, which has not begun.
    @Test func drainWaitsForItemsOfThisThread() {
        let done = Cell<Set<Int>>([])
        let missed = Cell<[Int]>([])
        let outbox = Outbox<Int>("test", capacity: 100_000) { number in done.update { $0.insert(number) } }
        DispatchQueue.concurrentPerform(iterations: 4) { producer in
            for number in 0..<2000 {
                outbox.put(producer * 10_000 + number)
                guard outbox.drain(within: .seconds(10)), done.value.contains(producer * 10_000 + number) else {
                    return missed.append(producer * 10_000 + number)
                }
            }
        }
        #expect(missed.value == [])
    }
}
