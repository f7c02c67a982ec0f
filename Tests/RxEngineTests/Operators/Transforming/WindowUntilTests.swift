import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct WindowUntilTests {
    /// The events of the windows, each marked with the number of its window.
    private func events(
        _ source: [Recorded<Event<Int>>], _ boundary: [Recorded<Event<Int>>]
    ) -> (events: [Recorded<Event<String>>], source: [Subscription], boundary: [Subscription]) {
        let scheduler = TestScheduler(initialClock: 0)
        let (hot, marks) = (scheduler.createHotObservable(source), scheduler.createHotObservable(boundary))
        let observer = scheduler.start {
            hot.asObservable().window(until: marks.asObservable()).enumerated().flatMap { number, window in
                window.materialize().map { "\(number) \($0.element.map(String.init) ?? "\($0)")" }
            }
        }
        return (observer.events, hot.subscriptions, marks.subscriptions)
    }

    @Test func boundariesEndWindows() {
        let found = events(
            [.next(210, 1), .next(220, 2), .next(260, 3), .completed(300)],
            [.next(230, 0), .next(240, 0), .completed(250)])
        #expect(
            found.events == [
                .next(210, "0 1"), .next(220, "0 2"), .next(230, "0 completed"), .next(240, "1 completed"),
                .next(260, "2 3"), .next(300, "2 completed"), .completed(300),
            ])
        #expect(found.source == [Subscription(200, 300)] && found.boundary == [Subscription(200, 250)])
    }

    @Test func firstErrorEndsWindowAndResult() {
        let source = events([.next(210, 1), .error(220, TestError())], [])
        #expect(
            source.events == [
                .next(210, "0 1"), .next(220, "0 error(test error)"), .error(220, TestError()),
            ])
        #expect(source.source == [Subscription(200, 220)] && source.boundary == [Subscription(200, 220)])
        let boundary = events([.next(210, 1)], [.error(220, TestError())])
        #expect(boundary.events == source.events)
        #expect(boundary.source == [Subscription(200, 220)] && boundary.boundary == [Subscription(200, 220)])
    }

    @Test func windowsKeepSourcesSubscribed() {
        let (source, boundary) = (PublishSubject<Int>(), PublishSubject<Void>())
        let log = EventLog<Int>()
        let inner = SerialDisposable()
        let subscription = source.window(until: boundary).subscribe(onNext: { inner.disposable = $0.subscribe(log) })
        subscription.dispose()
        source.onNext(1)
        #expect(source.hasObservers && boundary.hasObservers)
        boundary.onNext(())
        #expect(log.events == [.next(1), .completed])
        #expect(!source.hasObservers && !boundary.hasObservers)
        inner.dispose()
    }

    @Test func disposalReleasesBothSources() {
        let (source, boundary) = (PublishSubject<Int>(), PublishSubject<Void>())
        let subscription = source.window(until: boundary).subscribe()
        subscription.dispose()
        #expect(!source.hasObservers && !boundary.hasObservers)
    }

    @Test func resultThatEndsInsideSubscribeStartsNoSource() {
        let source = PublishSubject<Int>()
        let count = emitted(by: source.window(until: Observable.just(0)).map { _ in 1 }.take(1))
        #expect(count == [.next(1), .completed] && !source.hasObservers)
    }

    @Test func reentrantElementsStayInWindow() {
        let (source, boundary) = (PublishSubject<Int>(), PublishSubject<Void>())
        let log = Cell<[String]>([])
        let windows = source.window(until: boundary).enumerated()
        let subscription = windows.flatMap { number, window in window.map { "\(number) \($0)" } }.subscribe(onNext: {
            log.append($0)
            if $0 == "0 1" {
                boundary.onNext(())
                source.onNext(2)
            }
        })
        source.onNext(1)
        #expect(log.value == ["0 1", "1 2"])
        subscription.dispose()
    }
}
