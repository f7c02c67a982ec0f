import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ColdObservableTests {
    private let scheduler = TestScheduler(initialClock: 0)

    @Test func timesAreRelativeToSubscription() {
        let source = scheduler.createColdObservable([.next(10, 1), .next(20, 2), .completed(30), .next(40, 3)])
        let observer = scheduler.start { source.asObservable() }
        #expect(observer.events == [.next(210, 1), .next(220, 2), .completed(230)])
        #expect(source.subscriptions == [Subscription(200, 230)])
        #expect(source.recordedEvents == [.next(10, 1), .next(20, 2), .completed(30), .next(40, 3)])
    }

    @Test(arguments: [true, false]) func eventAtTimeZeroIsDeliveredAtSubscription(delays: Bool) {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: delays)
        let source = scheduler.createColdObservable([.next(0, 1), .completed(5)])
        let observer = scheduler.start { source.asObservable() }
        #expect(observer.events == [.next(200, 1), .completed(205)])
        #expect(source.subscriptions == [Subscription(200, 205)])
    }

    @Test func disposingEndsSubscriptionRecord() {
        let source = scheduler.createColdObservable([.next(10, 1), .next(200, 2)])
        let observer = scheduler.start(disposed: 300) { source.asObservable() }
        #expect(observer.events == [.next(210, 1)])
        #expect(source.subscriptions == [Subscription(200, 300)])
        // The clock also passes events that had no subscriber.
        #expect(scheduler.clock == 400)
    }

    @Test func eachSubscriptionHasItsOwnRun() {
        let source = scheduler.createColdObservable([.next(10, 1), .error(20, TestError("e"))])
        let first = scheduler.createObserver(Int.self)
        let second = scheduler.createObserver(Int.self)
        scheduler.scheduleAt(100) { _ = source.asObservable().subscribe(first) }
        scheduler.scheduleAt(105) { _ = source.asObservable().subscribe(second) }
        scheduler.start()
        #expect(first.events == [.next(110, 1), .error(120, TestError("e"))])
        #expect(second.events == [.next(115, 1), .error(125, TestError("e"))])
        #expect(source.subscriptions == [Subscription(100, 120), Subscription(105, 125)])
    }

    @Test func recordWithoutEndHasNoUnsubscriptionTime() {
        let source = scheduler.createColdObservable([.next(10, 1)])
        let observer = scheduler.createObserver(Int.self)
        let subscription = source.subscribe(observer)
        scheduler.start()
        #expect(observer.events == [.next(10, 1)])
        #expect("\(source.subscriptions)" == "[(0 : never)]")
        subscription.dispose()
        #expect(source.subscriptions == [Subscription(0, 10)])
    }
}
