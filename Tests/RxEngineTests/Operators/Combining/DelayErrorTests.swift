import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct DelayErrorTests {
    private func events(_ source: Observable<Int>) -> [String] {
        let log = Cell<[String]>([])
        source.subscribe(
            onNext: { log.append("\($0)") }, onError: { log.append("\($0)") }, onCompleted: { log.append("completed") }
        ).dispose()
        return log.value
    }

    private let failing = Observable.of(1).concat(.error(TestError("a")))

    @Test func errorsAreDelayedUntilAllHaveEnded() {
        #expect(events(.mergeDelayError(failing, .of(2, 3))) == ["1", "2", "3", "a"])
        #expect(events(.concatDelayError(failing, .of(2), .error(TestError("b")), .of(3))) == ["1", "2", "3", "a; b"])
        #expect(events(.concatDelayError(.of(1), .of(2))) == ["1", "2", "completed"])
        #expect(events(.mergeDelayError()) == ["completed"])
        #expect(events(.mergeDelayError([failing, .of(2)])) == ["1", "2", "a"])
        #expect(events(.concatDelayError([failing, .of(2)][...])) == ["1", "2", "a"])
        #expect(events(.mergeDelayError([])) == ["completed"] && events(.concatDelayError([])) == ["completed"])
    }

    /// Each with a first source that fails at 220 and a second that completes at 260.
    @Test(
        arguments: [
            (true, [.next(210, 1), .next(215, 2), .next(230, 3), .error(260, TestError())], 200),
            (false, [.next(210, 1), .next(230, 3), .error(260, TestError())], 220),
        ] as [(Bool, [Recorded<Event<Int>>], Int)])
    func errorWaitsForOtherSources(isMerge: Bool, events: [Recorded<Event<Int>>], second: Int) {
        let scheduler = TestScheduler(initialClock: 0)
        let one = scheduler.createHotObservable([.next(210, 1), .error(220, TestError())])
        let other = scheduler.createHotObservable([.next(215, 2), .next(230, 3), .completed(260)])
        let sources = [one.asObservable(), other.asObservable()]
        let observer = scheduler.start { isMerge ? .mergeDelayError(sources) : .concatDelayError(sources) }
        #expect(observer.events == events)
        #expect(one.subscriptions == [Subscription(200, 220)] && other.subscriptions == [Subscription(second, 260)])
    }

    @Test(arguments: [true, false]) func disposeLeavesSources(isMerge: Bool) {
        let scheduler = TestScheduler(initialClock: 0)
        let one = scheduler.createHotObservable([.error(220, TestError())] as [Recorded<Event<Int>>])
        let other = scheduler.createHotObservable([.next(230, 3), .completed(400)])
        let sources = [one.asObservable(), other.asObservable()]
        let observer = scheduler.start(disposed: 300) {
            isMerge ? .mergeDelayError(sources) : .concatDelayError(sources)
        }
        #expect(observer.events == [.next(230, 3)])
        #expect(other.subscriptions == [Subscription(isMerge ? 200 : 220, 300)])
    }

    @Test func eachSubscriptionCollectsItsOwnErrors() {
        let source = Observable.mergeDelayError(failing, .error(TestError("b")))
        for _ in 1...2 { #expect(events(source) == ["1", "b; a"]) }
    }
}
