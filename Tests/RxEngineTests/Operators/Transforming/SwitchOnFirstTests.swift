import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct SwitchOnFirstTests {
    static let rules: [Rule<Int, Int>] = [
        .init(
            "all elements by the first", { $0.switchOnFirst { first, all in all.map { $0 * first } } },
            of: [.next(210, 2), .next(220, 3), .completed(230)], is: [.next(210, 4), .next(220, 6), .completed(230)],
            left: 230),
        .init(
            "another sequence", { $0.switchOnFirst { first, _ in .of(first, 9) } }, of: [.next(210, 2), .next(220, 3)],
            is: [.next(210, 2), .next(210, 9), .completed(210)], left: 210),
        .init(
            "a sequence that ends before the source", { $0.switchOnFirst { _, all in all.take(2) } },
            of: [.next(210, 2), .next(220, 3), .next(230, 4)], is: [.next(210, 2), .next(220, 3), .completed(220)],
            left: 220),
        .init(
            "an end that goes on", { $0.switchOnFirst { _, all in all.concat(.just(9)) } },
            of: [.next(210, 2), .completed(220)], is: [.next(210, 2), .next(220, 9), .completed(220)], left: 220),
        .init(
            "an error of the source", { $0.switchOnFirst { _, all in all.catchAndReturn(9) } },
            of: [.next(210, 2), .error(220, TestError())], is: [.next(210, 2), .next(220, 9), .completed(220)],
            left: 220),
        .init(
            "a selector that throws", { $0.switchOnFirst { _, _ in throw TestError() } }, of: [.next(210, 2)],
            is: [.error(210, TestError())], left: 210),
        .init(
            "no element", { $0.switchOnFirst { _, all in all } }, of: [.completed(210)], is: [.completed(210)],
            left: 210),
        .init(
            "an error before the first element", { $0.switchOnFirst { _, all in all } }, of: [.error(210, TestError())],
            is: [.error(210, TestError())], left: 210),
    ]

    @Test(arguments: rules) func rule(_ rule: Rule<Int, Int>) {
        rule.check()
    }

    @Test func disposalReleasesBothSequences() {
        let (source, other) = (PublishSubject<Int>(), PublishSubject<Int>())
        let subscription = source.switchOnFirst { _, _ in other }.subscribe()
        source.onNext(1)
        #expect(source.hasObservers && other.hasObservers)
        subscription.dispose()
        #expect(!source.hasObservers && !other.hasObservers)
    }

    @Test func disposalInsideSelectorStartsNothing() {
        let (source, other) = (PublishSubject<Int>(), PublishSubject<Int>())
        let subscription = SerialDisposable()
        subscription.disposable = source.switchOnFirst { _, _ in
            subscription.dispose()
            return other
        }.subscribe()
        source.onNext(1)
        #expect(!source.hasObservers && !other.hasObservers)
    }

    @Test func endlessSourceInsideSubscribeIsStopped() {
        let result = Observable.repeatElement(1).switchOnFirst { _, all in all.take(2) }
        #expect(emitted(by: result) == [.next(1), .next(1), .completed])
    }

    @Test func selectorRunsOncePerSubscription() {
        let calls = Cell(0)
        let result = Observable.of(1, 2).switchOnFirst { _, all in
            calls.update { $0 += 1 }
            return all
        }
        for _ in 1...2 { #expect(emitted(by: result) == [.next(1), .next(2), .completed]) }
        #expect(calls.value == 2)
    }

    /// What the source emits while the first element is delivered follows it.
    @Test func eventsInsideFirstElementFollowIt() {
        let source = PublishSubject<Int>()
        let events = Cell<[Event<Int>]>([])
        let subscription = source.switchOnFirst { first, all in all.map { $0 * 10 + first } }.subscribe { event in
            if event.element == 11 {
                source.onNext(2)
                source.onNext(3)
                source.onCompleted()
            }
            events.append(event)
        }
        source.onNext(1)
        #expect(events.value == [.next(11), .next(21), .next(31), .completed])
        subscription.dispose()
    }

    @Test func errorInsideFirstElementFollowsIt() {
        let source = PublishSubject<Int>()
        let events = Cell<[Event<Int>]>([])
        _ = source.switchOnFirst { _, all in all }.subscribe { event in
            if event.element == 1 { source.onError(TestError()) }
            events.append(event)
        }
        source.onNext(1)
        #expect(events.value == [.next(1), .error(TestError())])
    }

    @Test func wholeSequenceBeginsWithFirstElementForLateSubscribers() {
        let source = PublishSubject<Int>()
        let whole = Cell<[Observable<Int>]>([])
        let subscription = source.switchOnFirst { _, all in
            whole.append(all)
            return Observable<Int>.never()
        }.subscribe()
        source.onNext(1)
        source.onNext(2)
        let values = Cell<[Int]>([])
        let late = whole.value[0].subscribe(onNext: { values.append($0) })
        source.onNext(3)
        #expect(values.value == [1, 3])
        late.dispose()
        subscription.dispose()
        whole.update { $0 = [] }
    }
}
