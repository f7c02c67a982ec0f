import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct HotObservableTests {
    private let scheduler = TestScheduler(initialClock: 0)

    @Test func timesAreAbsolute() {
        let source = scheduler.createHotObservable([
            .next(150, 1), .next(200, 2), .next(210, 3), .next(220, 4), .completed(230), .next(240, 5),
        ])
        let observer = scheduler.start { source.asObservable() }
        // An event for the moment of the subscription was scheduled before the subscription, which misses it.
        #expect(observer.events == [.next(210, 3), .next(220, 4), .completed(230)])
        #expect(source.subscriptions == [Subscription(200, 230)])
        #expect(source.recordedEvents.count == 6)
    }

    @Test func observerDisposedDuringEventDoesNotReceiveIt() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2)])
        let log = Cell<[String]>([])
        let second = SerialDisposable()
        let first = source.asObservable().subscribe(onNext: { number in
            log.append("first \(number)")
            second.dispose()
        })
        let observer = AnyObserver<Int> { log.append("second \($0)") }
        second.disposable = source.subscribe(observer)
        scheduler.start()
        #expect(log.value == ["first 1", "first 2"])
        #expect(source.subscriptions == [Subscription(0), Subscription(0, 210)])
        first.dispose()
    }

    static let ends: [(events: [Recorded<Event<Int>>], end: Int)] = [
        ([], 1000),
        ([.next(210, 1)], 1000),
        ([.completed(250)], 250),
        ([.error(250, TestError("e"))], 250),
        ([.completed(1100)], 1000),
    ]

    @Test(arguments: ends) func recordHasTimeOfUnsubscription(events: [Recorded<Event<Int>>], end: Int) {
        let source = scheduler.createHotObservable(events)
        let observer = scheduler.start { source.asObservable() }
        #expect(source.subscriptions == [Subscription(200, end)])
        #expect(observer.events == events.filter { $0.time < 1000 })
    }

    @Test func subscribersShareEventsAndHaveOneRecordEach() {
        let source = scheduler.createHotObservable([.next(10, 1), .next(20, 2), .next(30, 3), .next(40, 4)])
        let first = scheduler.createObserver(Int.self)
        let second = scheduler.createObserver(Int.self)
        let leaving = SerialDisposable()
        scheduler.scheduleAt(15) { leaving.disposable = source.subscribe(first) }
        scheduler.scheduleAt(25) { _ = source.subscribe(second) }
        scheduler.scheduleAt(35) { leaving.dispose() }
        scheduler.start()
        #expect(first.events == [.next(20, 2), .next(30, 3)])
        #expect(second.events == [.next(30, 3), .next(40, 4)])
        #expect(source.subscriptions == [Subscription(15, 35), Subscription(25)])
    }

    @Test(arguments: [Event<Int>.completed, .error(TestError("e"))])
    func eventsBeforeSubscriptionAreNotDelivered(end: Event<Int>) {
        let source = scheduler.createHotObservable([Recorded(time: 150, value: end), .next(250, 1), .completed(260)])
        let observer = scheduler.start { source.asObservable() }
        #expect(observer.events == [.next(250, 1), .completed(260)])
        #expect(source.subscriptions == [Subscription(200, 260)])
    }

    @Test func subscriberAfterEndReceivesLaterEvents() {
        let source = scheduler.createHotObservable([
            .next(210, 1), .error(220, TestError("e")), .next(230, 2), .completed(240),
        ])
        let first = scheduler.createObserver(Int.self)
        let second = scheduler.createObserver(Int.self)
        scheduler.scheduleAt(200) { _ = source.asObservable().subscribe(first) }
        scheduler.scheduleAt(225) { _ = source.asObservable().subscribe(second) }
        scheduler.start()
        #expect(first.events == [.next(210, 1), .error(220, TestError("e"))])
        #expect(second.events == [.next(230, 2), .completed(240)])
        #expect(source.subscriptions == [Subscription(200, 220), Subscription(225, 240)])
    }
}
