import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Records each call.
private final class Listener: SequenceListener {
    let log = Cell<[String]>([])

    func onSubscribe() { log.append("subscribe") }
    func onNext(_ element: some Any) { log.append("\(element)") }
    func onError(_ error: any Error) { log.append("\(error)") }
    func onCompleted() { log.append("completed") }
    func onDispose() { log.append("dispose") }
}

/// Implements nothing.
private struct Silent: SequenceListener {}

@Suite(.balanced) struct TapTests {
    @Test(
        arguments: [
            (.of(1, 2), ["subscribe", "1", "2", "completed", "dispose"]),
            (.error(TestError("e")), ["subscribe", "e", "dispose"]),
            (.empty(), ["subscribe", "completed", "dispose"]),
            (.never(), ["subscribe", "dispose"]),
        ] as [(Observable<Int>, [String])])
    func listenerIsNotifiedOfSubscriptionEventsAndDisposal(source: Observable<Int>, expected: [String]) {
        let listener = Listener()
        source.tap(listener).subscribe(onError: { _ in }).dispose()
        #expect(listener.log.value == expected)
    }

    @Test func listenerIsCalledBeforeTheObserver() {
        let listener = Listener()
        _ = Observable.of(1).tap(listener).subscribe(
            onNext: { listener.log.append("received \($0)") }, onCompleted: { listener.log.append("end") })
        #expect(listener.log.value == ["subscribe", "1", "received 1", "completed", "end", "dispose"])
    }

    @Test func sequencesOfDifferentElementsShareListener() {
        let listener = Listener()
        let (numbers, words) = (PublishSubject<Int>(), PublishSubject<String>())
        let subscriptions = [numbers.tap(listener).subscribe(), words.tap(listener).subscribe()]
        numbers.onNext(1)
        words.onNext("a")
        for subscription in subscriptions { subscription.dispose() }
        #expect(listener.log.value == ["subscribe", "subscribe", "1", "a", "dispose", "dispose"])
    }

    @Test func methodsDoNothingByDefault() {
        #expect(emitted(by: Observable.of(1, 2).tap(Silent())) == [.next(1), .next(2), .completed])
        #expect(emitted(by: Observable<Int>.error(TestError()).tap(Silent())) == [.error(TestError())])
    }

    @Test func listenerIsNotifiedOfSequencesThatCannotFail() {
        let listener = Listener()
        _ = Infallible.of(1, 2).tap(listener).subscribe()
        #expect(listener.log.value == ["subscribe", "1", "2", "completed", "dispose"])
    }

    @Test func listenerIsNotifiedOnceForAllSubscribersOfSharedSequence() {
        let (scheduler, listener, subject) = (TestScheduler(initialClock: 0), Listener(), PublishSubject<Int>())
        SharingScheduler.mock(scheduler: scheduler) {
            let driver = subject.asDriver(onErrorJustReturn: 0).tap(listener)
            let subscriptions = [driver.asObservable().subscribe(), driver.asObservable().subscribe()]
            subject.onNext(1)
            scheduler.start()
            for subscription in subscriptions { subscription.dispose() }
        }
        #expect(listener.log.value == ["subscribe", "1", "dispose"])
    }
}
