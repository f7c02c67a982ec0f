import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct OnBackpressureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let strategy: BackpressureStrategy
        let delivered: [Int]
        let dropped: [Int]
        var error: BufferOverflowError?

        init(
            _ name: String, _ strategy: BackpressureStrategy, _ delivered: [Int], dropped: [Int],
            _ error: BufferOverflowError? = nil
        ) {
            testDescription = name
            (self.strategy, self.delivered, self.dropped, self.error) = (strategy, delivered, dropped, error)
        }
    }

    /// The elements 1 to 5 arrive while the scheduler is busy.
    static let cases = [
        Case("latest", .latest, [5], dropped: [1, 2, 3, 4]),
        Case("dropNewest", .dropNewest, [1], dropped: [2, 3, 4, 5]),
        Case("error", .error, [1], dropped: [2], BufferOverflowError(limit: 1)),
        Case("buffer, oldest", .buffer(limit: 2, overflow: .dropOldest), [4, 5], dropped: [1, 2, 3]),
        Case("buffer, newest", .buffer(limit: 2, overflow: .dropNewest), [1, 2], dropped: [3, 4, 5]),
        Case("buffer, latest", .buffer(limit: 2, overflow: .latest), [5], dropped: [1, 2, 3, 4]),
        Case(
            "buffer, error", .buffer(limit: 3, overflow: .error), [1, 2, 3], dropped: [4],
            BufferOverflowError(limit: 3)),
        Case("enough room", .buffer(limit: 5, overflow: .error), [1, 2, 3, 4, 5], dropped: []),
    ]

    @Test(arguments: cases) func overflow(_ rule: Case) {
        for end in [Event<Int>.completed, .error(TestError())] {
            let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
            let source = PublishSubject<Int>()
            let log = EventLog<Int>()
            let dropped = Cell<[Int]>([])
            let subscription = source.onBackpressure(rule.strategy, on: scheduler) { dropped.append($0) }
                .subscribe(log)
            for value in 1...5 { source.onNext(value) }
            #expect(source.hasObservers == (rule.error == nil))
            source.on(end)
            #expect(log.events == [] && dropped.value == rule.dropped)
            scheduler.start()
            #expect(log.events == rule.delivered.map { .next($0) } + [rule.error.map { .error($0) } ?? end])
            subscription.dispose()
        }
    }

    @Test func elementThatIsBeingDeliveredIsNotQueued() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let source = PublishSubject<Int>()
        let (log, dropped) = (Cell<[Int]>([]), Cell<[Int]>([]))
        let subscription = source.onBackpressure(.dropNewest, on: scheduler) { dropped.append($0) }.subscribe(onNext: {
            log.append($0)
            if $0 == 1 { for value in 2...4 { source.onNext(value) } }
        })
        source.onNext(1)
        scheduler.start()
        #expect(log.value == [1, 2] && dropped.value == [3, 4])
        subscription.dispose()
    }

    @Test func disposalInsideOnDroppedStopsDelivery() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let source = PublishSubject<Int>()
        let log = EventLog<Int>()
        let subscription = SerialDisposable()
        subscription.disposable = source.onBackpressure(.error, on: scheduler) { _ in subscription.dispose() }
            .subscribe(log)
        for value in 1...3 { source.onNext(value) }
        scheduler.start()
        #expect(log.events == [] && !source.hasObservers)
    }

    /// `onDropped` emits another element: no lock is held, and the order stays.
    @Test func onDroppedMayEmit() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let source = PublishSubject<Int>()
        let log = EventLog<Int>()
        let dropped = Cell<[Int]>([])
        let subscription = source.onBackpressure(.latest, on: scheduler) {
            dropped.append($0)
            if $0 == 1 { source.onNext(3) }
        }.subscribe(log)
        source.onNext(1)
        source.onNext(2)
        scheduler.start()
        #expect(log.events == [.next(3)] && dropped.value == [1, 2])
        subscription.dispose()
    }

    @Test func everyElementIsDeliveredOrDropped() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let strategies: [BackpressureStrategy] = [
            .latest, .dropNewest, .buffer(limit: 10, overflow: .dropOldest), .buffer(limit: 10, overflow: .dropNewest),
        ]
        for strategy in strategies {
            let source = PublishSubject<Int>()
            let (log, dropped, isOver) = (Cell<[Int]>([]), Cell<[Int]>([]), Cell(false))
            let subscription = source.onBackpressure(strategy, on: scheduler) { dropped.append($0) }.subscribe(
                onNext: { log.append($0) }, onCompleted: { isOver.update { $0 = true } })
            for value in 0..<20_000 { source.onNext(value) }
            source.onCompleted()
            try await eventually("the sequence has completed") { isOver.value }
            #expect(log.value == log.value.sorted())
            #expect((log.value + dropped.value).sorted() == Array(0..<20_000))
            subscription.dispose()
        }
    }

    @Test func limitOfZeroTraps() async {
        await #expect(processExitsWith: .failure) { _ = BackpressureStrategy.buffer(limit: 0, overflow: .latest) }
    }
}
