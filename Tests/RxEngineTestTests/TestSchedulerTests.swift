import FoundationEssentials
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct TestSchedulerTests {
    @Test func theTimelineHasItsDefaults() {
        #expect(TestScheduler.Defaults.created == 100)
        #expect(TestScheduler.Defaults.subscribed == 200)
        #expect(TestScheduler.Defaults.disposed == 1000)
        #expect(timeline { $0.start(create: $1) } == ["created 100", "subscribed 200", "disposed 1000"])
    }

    @Test func theTimelineMayBeAnother() {
        #expect(
            timeline { $0.start(disposed: 300, create: $1) } == ["created 100", "subscribed 200", "disposed 300"])
        #expect(
            timeline { $0.start(created: 5, subscribed: 6, disposed: 7, create: $1) }
                == ["created 5", "subscribed 6", "disposed 7"])
    }

    private func timeline(
        _ start: (TestScheduler, @escaping @Sendable () -> Observable<Int>) -> TestableObserver<Int>
    ) -> [String] {
        let log = Box<[String]>([])
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
    ]) func processingTakesTimeOnRequest(delays: Bool, expected: [Recorded<Event<Int>>]) {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: delays)
        let observer = scheduler.start { Observable.of(1, 2, scheduler: scheduler) }
        #expect(observer.events == expected)
    }

    @Test(arguments: [(true, 51), (false, 50)]) func thePastIsNow(delays: Bool, time: Int) {
        let log = Box<[Int]>([])
        let scheduler = TestScheduler(initialClock: 50, simulateProcessingDelay: delays)
        scheduler.scheduleAt(10) { log.append(scheduler.clock) }
        scheduler.start()
        #expect(log.value == [time])
    }

    @Test(arguments: [(1.0, 230), (0.1, 500), (10.0, 203), (60.0, 201)])
    func theResolutionSaysWhatAUnitIs(resolution: Double, time: Int) {
        let scheduler = TestScheduler(initialClock: 0, resolution: resolution)
        let observer = scheduler.start { Observable<Int>.timer(.seconds(30), scheduler: scheduler) }
        #expect(observer.events == [.next(time, 0), .completed(time)])
    }

    @Test func whatIsNeverDueNeverRuns() {
        let log = Box<[Int]>([])
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

    @Test func itsWallClockCountsFrom1970() {
        let scheduler = TestScheduler(initialClock: 30, resolution: 0.5)
        #expect(scheduler.now == Date(timeIntervalSince1970: 15))
        scheduler.advanceTo(50)
        #expect(scheduler.now == Date(timeIntervalSince1970: 25))
    }

    @Test func anObserverKeepsTheTimes() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.createObserver(String.self)
        scheduler.scheduleAt(10) { observer.onNext("a") }
        scheduler.scheduleAt(20) { observer.onError(TestError("e")) }
        scheduler.start()
        #expect(observer.events == [.next(10, "a"), .error(20, TestError("e"))])
    }

    @Test func theTimelineMayBeGivenByALabelOrByNone() {
        let create: @Sendable () -> Observable<Int> = { .just(1) }
        let events: [Recorded<Event<Int>>] = [.next(200, 1), .completed(200)]
        #expect(TestScheduler(initialClock: 0).start(create).events == events)
        #expect(TestScheduler(initialClock: 0).start(create: create).events == events)
        #expect(TestScheduler(initialClock: 0).start(disposed: 300, create: create).events == events)
        #expect(TestScheduler(initialClock: 0).start { Observable.just(1) }.events == events)
    }
}
