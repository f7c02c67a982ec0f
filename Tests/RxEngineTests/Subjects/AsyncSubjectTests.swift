import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct AsyncSubjectTests {
    @Test func resultAndCompletionAreEmittedTogether() {
        let scheduler = TestScheduler(initialClock: 0)
        let subject = AsyncSubject<Int>()
        let observers = (0..<2).map { _ in scheduler.createObserver(Int.self) }
        scheduler.scheduleAt(200) { _ = subject.subscribe(observers[0]) }
        for (time, value) in [(210, 1), (220, 2)] { scheduler.scheduleAt(time) { subject.onNext(value) } }
        scheduler.scheduleAt(230) { subject.onCompleted() }
        scheduler.scheduleAt(240) { _ = subject.subscribe(observers[1]) }
        scheduler.start()
        #expect(observers[0].events == [.next(230, 2), .completed(230)])
        #expect(observers[1].events == [.next(240, 2), .completed(240)])
    }

    @Test func completionWithoutElementEmitsEndOnly() {
        let seen = Cell<[Event<Int>]>([])
        let subject = AsyncSubject<Int>()
        _ = subject.subscribe { seen.append($0) }
        subject.onCompleted()
        _ = subject.subscribe { seen.append($0) }
        #expect(seen.value == [.completed, .completed])
    }

    @Test func observerDisposedByResultDoesNotReceiveEnd() {
        let seen = Cell<[Event<Int>]>([])
        let subject = AsyncSubject<Int>()
        let subscription = SerialDisposable()
        subscription.disposable = subject.subscribe {
            seen.append($0)
            subscription.dispose()
        }
        subject.onNext(1)
        subject.onCompleted()
        #expect(seen.value == [.next(1)])
    }
}
