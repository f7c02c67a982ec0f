import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct CombineLatestDelayErrorTests {
    private func events(
        _ first: [Recorded<Event<Int>>], _ second: [Recorded<Event<Int>>]
    ) -> [Recorded<Event<String>>] {
        let scheduler = TestScheduler(initialClock: 0)
        let (first, second) = (scheduler.createHotObservable(first), scheduler.createHotObservable(second))
        return scheduler.start {
            Observable.combineLatestDelayError(first.asObservable(), second.asObservable()) { "\($0) \($1)" }
                .catch { .just("\($0)") }
        }.events
    }

    @Test func errorsAreDelayedUntilBothHaveEnded() {
        #expect(
            events(
                [.next(210, 1), .next(230, 2), .error(240, TestError("a"))],
                [.next(220, 5), .next(250, 6), .completed(260)])
                == [
                    .next(220, "1 5"), .next(230, "2 5"), .next(250, "2 6"), .next(260, "a"), .completed(260),
                ])
        #expect(
            events([.next(210, 1), .error(250, TestError("a"))], [.next(220, 5), .error(230, TestError("b"))])
                == [.next(220, "1 5"), .next(250, "b; a"), .completed(250)])
        #expect(
            events([.next(210, 1), .completed(230)], [.next(220, 5), .completed(240)])
                == [.next(220, "1 5"), .completed(240)])
    }

    /// The other sequence can never be combined after its next element.
    @Test func errorWithoutElementEndsResultAtNextElement() {
        #expect(
            events([.error(210, TestError("a"))], [.next(220, 5), .next(230, 6)])
                == [.next(220, "a"), .completed(220)])
    }

    @Test func errorOfSelectorEndsResultAtOnce() {
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let log = EventLog<Int>()
        let subscription = Observable<Int>.combineLatestDelayError(first, second) { _, _ in throw TestError() }
            .subscribe(log)
        first.onNext(1)
        second.onNext(2)
        #expect(log.events == [.error(TestError())] && !first.hasObservers && !second.hasObservers)
        subscription.dispose()
    }

    @Test func collectionsAndTuples() {
        let failing = Observable.of(1).concat(.error(TestError("a")))
        let sums = Observable.combineLatestDelayError([failing, .of(2), .of(3)]) { $0.reduce(0, +) }
        #expect(
            emitted(by: sums.catch { "\($0)" == "a" ? .just(-1) : .error($0) }) == [.next(6), .next(-1), .completed])
        let arrays = Observable.combineLatestDelayError([failing, .of(2)])
        #expect(emitted(by: arrays.catchAndReturn([])) == [.next([1, 2]), .next([]), .completed])
        let tuples = Observable.combineLatestDelayError(failing, Observable.of("x")).map { "\($0)\($1)" }
        #expect(emitted(by: tuples.catchAndReturn("failed")) == [.next("1x"), .next("failed"), .completed])
        #expect(emitted(by: tuples.catchAndReturn("failed")).count == 3)
    }

    /// The error of the selector does not hide those that were delayed.
    @Test func errorOfSelectorFollowsDelayedOnes() {
        let log = Cell<[String]>([])
        let first = Observable.just(1).concat(.error(TestError("a")))
        let second = PublishSubject<Int>()
        let subscription = Observable<Int>.combineLatestDelayError(first, second) { _, _ in throw TestError("b") }
            .subscribe(onError: { log.append("\($0)") })
        second.onNext(1)
        #expect(log.value == ["a; b"])
        subscription.dispose()
    }
}
