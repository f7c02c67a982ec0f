import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ObserveOnBoundedTests {
    /// The elements 1 to 6 arrive while the scheduler is busy: those that are delivered, and how many are dropped.
    static let table: [(rule: OverflowRule, size: Int, delivered: [Int], dropped: Int)] = [
        (.dropOldest, 2, [5, 6], 4), (.dropOldest, 6, [1, 2, 3, 4, 5, 6], 0), (.dropOldest, 1, [6], 5),
        (.dropNewest, 2, [1, 2], 4), (.dropNewest, 6, [1, 2, 3, 4, 5, 6], 0), (.dropNewest, 1, [1], 5),
        (.latest, 4, [5, 6], 4), (.latest, 1, [6], 5), (.latest, 5, [6], 5), (.latest, 6, [1, 2, 3, 4, 5, 6], 0),
    ]

    @Test(arguments: table) func overflow(rule: OverflowRule, size: Int, delivered: [Int], dropped: Int) {
        for end in [Event<Int>.completed, .error(TestError())] {
            let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
            let drops = DropCount()
            let source = PublishSubject<Int>()
            let log = EventLog<Int>()
            let subscription = source.observe(on: scheduler, bufferSize: size, overflow: rule, drops: drops)
                .subscribe(log)
            for value in 1...6 { source.onNext(value) }
            source.on(end)
            #expect(log.events == [])
            scheduler.start()
            #expect(log.events == delivered.map { .next($0) } + [end])
            #expect(drops.value == dropped)
            subscription.dispose()
        }
    }

    @Test func deliveredElementsFreeSpace() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let drops = DropCount()
        for rule in OverflowRule.allCases {
            let source = PublishSubject<Int>()
            let log = EventLog<Int>()
            let subscription = source.observe(on: scheduler, bufferSize: 2, overflow: rule, drops: drops)
                .subscribe(log)
            for value in 1...20 {
                source.onNext(value)
                if value % 2 == 0 { scheduler.start() }
            }
            #expect(log.events == (1...20).map { .next($0) } && drops.value == 0)
            subscription.dispose()
        }
    }

    /// One `DropCount` adds up the drops of two subscriptions.
    @Test func dropCountMayBeShared() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let drops = DropCount()
        let source = PublishSubject<Int>()
        let shared = source.observe(on: scheduler, bufferSize: 1, overflow: .dropNewest, drops: drops)
        let logs = [EventLog<Int>(), EventLog<Int>()]
        let subscriptions = logs.map { shared.subscribe($0) }
        for value in 1...3 { source.onNext(value) }
        scheduler.start()
        #expect(logs.map(\.events) == [[.next(1)], [.next(1)]] && drops.value == 4)
        subscriptions.forEach { $0.dispose() }
    }

    @Test func droppedElementsAreReleasedOutsideLock() {
        final class Element: Sendable {
            let onEnd: @Sendable () -> Void

            init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

            deinit { onEnd() }
        }
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let source = PublishSubject<Element?>()
        let log = Cell(0)
        let subscription = source.observe(on: scheduler, bufferSize: 1, overflow: .dropOldest)
            .subscribe(onNext: { _ in log.update { $0 += 1 } })
        // Releasing the dropped element emits another one.
        source.onNext(Element { source.onNext(nil) })
        source.onNext(nil)
        scheduler.start()
        #expect(log.value == 1)
        subscription.dispose()
    }

    @Test func disposeDropsQueuedElements() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let source = PublishSubject<Int>()
        let log = EventLog<Int>()
        let subscription = source.observe(on: scheduler, bufferSize: 3, overflow: .latest).subscribe(log)
        source.onNext(1)
        subscription.dispose()
        scheduler.start()
        #expect(log.events == [] && !source.hasObservers)
    }

    @Test func slowObserverDoesNotBlockSource() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let drops = DropCount()
        let source = PublishSubject<Int>()
        let log = Cell<[Int]>([])
        let isOver = Cell(false)
        let subscription = source.observe(on: scheduler, bufferSize: 10, overflow: .dropOldest, drops: drops)
            .subscribe(onNext: { log.append($0) }, onCompleted: { isOver.update { $0 = true } })
        for value in 0..<100_000 { source.onNext(value) }
        source.onCompleted()
        try await eventually("the sequence has completed") { isOver.value }
        #expect(log.value == log.value.sorted() && log.value.last == 99_999)
        #expect(log.value.count + drops.value == 100_000)
        subscription.dispose()
    }

    @Test func bufferSizeOfZeroTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = Observable.just(1).observe(on: MainScheduler.instance, bufferSize: 0, overflow: .latest)
        }
    }
}
