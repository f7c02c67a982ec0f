import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct BufferUntilTests {
    private func events(
        _ source: [Recorded<Event<Int>>], _ boundary: [Recorded<Event<Int>>]
    ) -> (events: [Recorded<Event<[Int]>>], source: [Subscription], boundary: [Subscription]) {
        let scheduler = TestScheduler(initialClock: 0)
        let (hot, marks) = (scheduler.createHotObservable(source), scheduler.createHotObservable(boundary))
        let observer = scheduler.start { hot.asObservable().buffer(until: marks.asObservable()) }
        return (observer.events, hot.subscriptions, marks.subscriptions)
    }

    @Test func elementsAreEmittedAtBoundaries() {
        let found = events(
            [.next(210, 1), .next(220, 2), .next(260, 3), .completed(300)],
            [.next(230, 0), .next(240, 0), .completed(250)])
        #expect(found.events == [.next(230, [1, 2]), .next(240, []), .next(300, [3]), .completed(300)])
        #expect(found.source == [Subscription(200, 300)] && found.boundary == [Subscription(200, 250)])
    }

    @Test func completionWithoutRestEmitsNothing() {
        let found = events([.completed(220)], [.next(210, 0)])
        #expect(found.events == [.next(210, []), .completed(220)])
        #expect(found.boundary == [Subscription(200, 220)])
    }

    @Test func firstErrorEndsResult() {
        let source = events([.next(210, 1), .error(220, TestError())], [.next(230, 0)])
        #expect(source.events == [.error(220, TestError())] && source.boundary == [Subscription(200, 220)])
        let boundary = events([.next(210, 1), .completed(230)], [.error(220, TestError())])
        #expect(boundary.events == [.error(220, TestError())] && boundary.source == [Subscription(200, 220)])
    }

    @Test func boundaryThatEndsResultInsideSubscribeStopsIt() {
        #expect(emitted(by: Observable.of(1, 2).buffer(until: Observable.just(0)).take(1)) == [.next([]), .completed])
    }

    @Test func reentrantElementsAreKept() {
        let (source, boundary) = (PublishSubject<Int>(), PublishSubject<Void>())
        let log = Cell<[[Int]]>([])
        let subscription = source.buffer(until: boundary).subscribe(onNext: { elements in
            log.append(elements)
            if elements == [1] { source.onNext(2) }
        })
        source.onNext(1)
        boundary.onNext(())
        boundary.onNext(())
        #expect(log.value == [[1], [2]])
        subscription.dispose()
    }
}
