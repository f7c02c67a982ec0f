import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct RepeatWhenTests {
    private func events(
        _ source: [Recorded<Event<Int>>], disposed: Int = 1000,
        _ handler: @escaping @Sendable (Observable<Void>, TestScheduler) -> Observable<Int>
    ) -> (events: [Recorded<Event<Int>>], runs: [Subscription]) {
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable(source)
        let observer = scheduler.start(disposed: disposed) {
            cold.asObservable().repeat { handler($0, scheduler) }
        }
        return (observer.events, cold.subscriptions)
    }

    @Test func eachNotificationStartsAnotherRun() {
        let found = events([.next(10, 1), .completed(20)]) { completions, scheduler in
            completions.mapTo(0).delay(.seconds(30), scheduler: scheduler).take(2)
        }
        #expect(found.events == [.next(210, 1), .next(260, 1), .next(310, 1), .completed(320)])
        #expect(found.runs == [Subscription(200, 220), Subscription(250, 270), Subscription(300, 320)])
    }

    @Test func notificationsEndResult() {
        #expect(
            events([.next(10, 1), .completed(20)]) { completions, _ in completions.mapTo(0).take(2) }.events
                == [.next(210, 1), .next(230, 1), .completed(240)])
        #expect(
            events([.next(10, 1), .completed(20)]) { _, _ in .empty() }.events == [.next(210, 1), .completed(220)])
        #expect(
            events([.next(10, 1), .completed(20)]) { completions, _ in
                completions.map { throw TestError() }
            }.events == [.next(210, 1), .error(220, TestError())])
        #expect(events([.next(10, 1), .completed(20)]) { _, _ in .never() }.events == [.next(210, 1)])
    }

    @Test func errorOfSourceEndsResult() {
        let found = events([.next(10, 1), .error(20, TestError())]) { completions, _ in completions.mapTo(0) }
        #expect(found.events == [.next(210, 1), .error(220, TestError())] && found.runs == [Subscription(200, 220)])
    }

    @Test func disposalStopsRunAndNotifications() {
        let (source, notifications) = (PublishSubject<Int>(), PublishSubject<Int>())
        let subscription = source.repeat { _ in notifications }.subscribe()
        #expect(source.hasObservers && notifications.hasObservers)
        subscription.dispose()
        #expect(!source.hasObservers && !notifications.hasObservers)
    }

    @Test func synchronousRunsTakeNoStack() {
        let count = Cell(0)
        onSmallStack {
            _ = Observable.just(1).repeat { $0.take(50_000) }.subscribe(onNext: { _ in count.update { $0 += 1 } })
        }
        #expect(count.value == 50_000)
    }

    @Test func disposalInsideElementStopsRuns() {
        #expect(emitted(by: Observable.of(1, 2).repeat { $0 }.take(3)) == [.next(1), .next(2), .next(1), .completed])
    }
}
