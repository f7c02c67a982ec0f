import FoundationEssentials
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct TestSchedulerTests {
    @Test func startUsesDefaultTimes() {
        #expect(TestScheduler.Defaults.created == 100)
        #expect(TestScheduler.Defaults.subscribed == 200)
        #expect(TestScheduler.Defaults.disposed == 1000)
        #expect(timeline { $0.start(create: $1) } == ["created 100", "subscribed 200", "disposed 1000"])
    }

    @Test func startUsesGivenTimes() {
        #expect(
            timeline { $0.start(disposed: 300, create: $1) } == ["created 100", "subscribed 200", "disposed 300"])
        #expect(
            timeline { $0.start(created: 5, subscribed: 6, disposed: 7, create: $1) }
                == ["created 5", "subscribed 6", "disposed 7"])
    }

    /// Starts every kind of sequence in all three forms.
    @Test func everyKindOfSequenceCanBeStarted() {
        func check<Source: ObservableConvertibleType<Int> & SendableMetatype>(
            _ events: [Recorded<Event<Int>>], _ make: @escaping @Sendable (TestScheduler) -> Source,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let starts: [(TestScheduler, @escaping @Sendable () -> Source) -> TestableObserver<Int>] = [
                { $0.start($1) }, { $0.start(disposed: 900, create: $1) },
                { $0.start(created: 1, subscribed: 200, disposed: 900, create: $1) },
            ]
            for start in starts {
                let scheduler = TestScheduler(initialClock: 0)
                let observer = SharingScheduler.mock(scheduler: scheduler) {
                    start(scheduler) { make(scheduler) }
                }
                #expect(observer.events == events, "\(Source.self)", sourceLocation: sourceLocation)
            }
        }
        check([.next(200, 1), .completed(200)]) { _ in Observable.just(1) }
        check([.next(200, 1), .completed(200)]) { _ in Single.just(1) }
        check([.next(200, 1), .completed(200)]) { _ in Maybe.just(1) }
        check([.completed(200)]) { _ in Completable.empty().asObservable().map { _ -> Int in } }
        check([.next(200, 1), .completed(200)]) { _ in Infallible.just(1) }
        check([.next(201, 1), .completed(201)]) { _ in Driver.just(1) }
        check([.next(201, 1), .completed(201)]) { _ in Signal.just(1) }
        check([.next(210, 1), .completed(220)]) { $0.createColdObservable([.next(10, 1), .completed(20)]) }
    }

    @Test func completableCanBeStarted() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start { Completable.empty() }
        #expect(observer.events.map(\.time) == [200])
    }

    private func timeline(
        _ start: (TestScheduler, @escaping @Sendable () -> Observable<Int>) -> TestableObserver<Int>
    ) -> [String] {
        let log = Cell<[String]>([])
        let scheduler = TestScheduler(initialClock: 0)
        let observer = start(scheduler) {
            log.append("created \(scheduler.clock)")
            return .create { _ in
                log.append("subscribed \(scheduler.clock)")
                return Disposables.create { log.append("disposed \(scheduler.clock)") }
            }
        }
        #expect(observer.events == [])
        return log.value
    }

    @Test(arguments: [
        (true, Recorded.events(.next(201, 1), .next(202, 2), .completed(203))),
        (false, Recorded.events(.next(200, 1), .next(200, 2), .completed(200))),
    ]) func processingDelayIsSimulatedOnRequest(delays: Bool, expected: [Recorded<Event<Int>>]) {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: delays)
        let observer = scheduler.start { Observable.of(1, 2, scheduler: scheduler) }
        #expect(observer.events == expected)
    }

    @Test(arguments: [true, false]) func actionScheduledInPastRunsNow(delays: Bool) {
        let log = Cell<[Int]>([])
        let scheduler = TestScheduler(initialClock: 50, simulateProcessingDelay: delays)
        for time in [60, 50, 10] { scheduler.scheduleAt(time) { log.append(scheduler.clock) } }
        scheduler.start()
        #expect(log.value == [50, 50, 60])
    }

    /// Only actions that are scheduled to run at once are delayed: a virtual time means exactly that time.
    @Test func virtualTimeIsNotDelayed() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.next(0, 1), .next(1, 2)])
        let cold = scheduler.createColdObservable([.next(0, 3), .completed(0)])
        let observers = [scheduler.createObserver(Int.self), scheduler.createObserver(Int.self)]
        let subscription = hot.subscribe(observers[0])
        scheduler.scheduleAt(0) { _ = cold.asObservable().subscribe(observers[1]) }
        scheduler.start()
        #expect(observers[0].events == [.next(0, 1), .next(1, 2)])
        #expect(observers[1].events == [.next(0, 3), .completed(0)])
        #expect(cold.subscriptions == [Subscription(0, 0)])
        subscription.dispose()
    }

    @Test(arguments: [(1.0, 230), (0.1, 500), (10.0, 203), (60.0, 201)])
    func resolutionIsLengthOfOneTick(resolution: Double, time: Int) {
        let scheduler = TestScheduler(initialClock: 0, resolution: resolution)
        let observer = scheduler.start { Observable<Int>.timer(.seconds(30), scheduler: scheduler) }
        #expect(observer.events == [.next(time, 0), .completed(time)])
    }

    @Test func actionThatIsNeverDueDoesNotRun() {
        let log = Cell<[Int]>([])
        let scheduler = TestScheduler(initialClock: 0)
        let waiting = scheduler.scheduleRelative((), dueTime: .never) {
            log.append(scheduler.clock)
            return Disposables.create()
        }
        scheduler.scheduleAt(10) { log.append(scheduler.clock) }
        scheduler.start()
        #expect(log.value == [10])
        #expect(scheduler.clock == 10)
        waiting.dispose()
    }

    @Test func wallClockStartsIn1970() {
        let scheduler = TestScheduler(initialClock: 30, resolution: 0.5)
        #expect(scheduler.now == Date(timeIntervalSince1970: 15))
        scheduler.advanceTo(50)
        #expect(scheduler.now == Date(timeIntervalSince1970: 25))
    }

    @Test func observerRecordsTimes() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.createObserver(String.self)
        scheduler.scheduleAt(10) { observer.onNext("a") }
        scheduler.scheduleAt(20) { observer.onError(TestError("e")) }
        scheduler.start()
        #expect(observer.events == [.next(10, "a"), .error(20, TestError("e"))])
    }

    @Test func startTimesMayBeGivenWithOrWithoutLabel() {
        let create: @Sendable () -> Observable<Int> = { .just(1) }
        let events: [Recorded<Event<Int>>] = [.next(200, 1), .completed(200)]
        #expect(TestScheduler(initialClock: 0).start(create).events == events)
        #expect(TestScheduler(initialClock: 0).start(create: create).events == events)
        #expect(TestScheduler(initialClock: 0).start(disposed: 300, create: create).events == events)
        #expect(TestScheduler(initialClock: 0).start { Observable.just(1) }.events == events)
    }
}
