import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ConcatMapEagerTests {
    typealias Events = [Recorded<Event<Int>>]

    /// Inner sequences, of which the source emits the indices at 210, 220 and so on, and when each is subscribed to.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var limit = Int.max
        var sourceEnd: Recorded<Event<Int>> = .completed(260)
        let inner: [Events]
        let result: Events
        let subscriptions: [[Subscription]]

        init(
            _ name: String, limit: Int = .max, sourceEnd: Recorded<Event<Int>> = .completed(260), inner: [Events],
            is result: Events, _ subscriptions: [[Subscription]]
        ) {
            testDescription = name
            (self.limit, self.sourceEnd, self.inner) = (limit, sourceEnd, inner)
            (self.result, self.subscriptions) = (result, subscriptions)
        }
    }

    static let cases: [Case] = [
        Case(
            "all at once, in order",
            inner: [
                [.next(5, 10), .next(50, 11), .completed(60)], [.next(5, 20), .completed(10)],
                [.next(10, 30), .next(50, 31), .completed(60)],
            ],
            is: [
                .next(215, 10), .next(260, 11), .next(270, 20), .next(270, 30), .next(280, 31), .completed(290),
            ],
            [[Subscription(210, 270)], [Subscription(220, 230)], [Subscription(230, 290)]]),
        Case(
            "two at a time: a place is free when all elements are emitted", limit: 2,
            inner: [
                [.next(5, 10), .completed(60)], [.next(5, 20), .completed(10)], [.next(10, 30), .completed(20)],
                [.next(5, 40), .completed(10)],
            ],
            is: [.next(215, 10), .next(270, 20), .next(280, 30), .next(290, 40), .completed(290)],
            [[Subscription(210, 270)], [Subscription(220, 230)], [Subscription(270, 290)], [Subscription(270, 280)]]),
        Case(
            "an error of a later sequence ends the result at once",
            inner: [[.next(5, 10), .next(50, 11), .completed(60)], [.next(5, 20), .error(10, TestError())]],
            is: [.next(215, 10), .error(230, TestError())], [[Subscription(210, 230)], [Subscription(220, 230)]]),
        Case(
            "an error of the source", sourceEnd: .error(225, TestError()),
            inner: [[.next(50, 10)], [.next(3, 20), .completed(4)]], is: [.error(225, TestError())],
            [[Subscription(210, 225)], [Subscription(220, 224)]]),
        Case(
            "the source is the last to complete", sourceEnd: .completed(300),
            inner: [[.next(5, 10), .completed(6)]], is: [.next(215, 10), .completed(300)], [[Subscription(210, 216)]]),
    ]

    @Test(arguments: cases) func rule(_ rule: Case) {
        let scheduler = TestScheduler(initialClock: 0)
        let inner = rule.inner.map { scheduler.createColdObservable($0) }
        let indices: Events = rule.inner.indices.map { .next(210 + 10 * $0, $0) }
        let source = scheduler.createHotObservable(indices + [rule.sourceEnd])
        let observer = scheduler.start {
            source.asObservable().concatMapEager(maxConcurrent: rule.limit) { inner[$0].asObservable() }
        }
        #expect(observer.events == rule.result)
        #expect(inner.map(\.subscriptions) == rule.subscriptions)
        #expect(source.subscriptions.map(\.unsubscribe) == [min(rule.sourceEnd.time, rule.result.last?.time ?? 0)])
    }

    @Test func selectorThatThrowsEndsResult() {
        let (source, inner) = (PublishSubject<Int>(), PublishSubject<Int>())
        let log = EventLog<Int>()
        let subscription = source.concatMapEager { value in
            if value == 2 { throw TestError() }
            return inner
        }.subscribe(log)
        source.onNext(1)
        inner.onNext(5)
        source.onNext(2)
        #expect(log.events == [.next(5), .error(TestError())] && !inner.hasObservers && !source.hasObservers)
        subscription.dispose()
    }

    @Test func disposalReleasesRunningAndQueuedSources() {
        let subjects = (0..<3).map { _ in PublishSubject<Int>() }
        let source = PublishSubject<Int>()
        let subscription = source.concatMapEager(maxConcurrent: 2) { subjects[$0] }.subscribe()
        for index in 0..<3 { source.onNext(index) }
        #expect(subjects.map(\.hasObservers) == [true, true, false])
        subscription.dispose()
        #expect(subjects.map(\.hasObservers) == [false, false, false] && !source.hasObservers)
    }

    @Test func disposalInsideQueuedElementsStopsThem() {
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let log = EventLog<Int>()
        let subscription = Observable.concatEager([first.asObservable(), second.asObservable()]).take(2).subscribe(log)
        for value in 1...3 { second.onNext(value) }
        first.onCompleted()
        #expect(log.events == [.next(1), .next(2), .completed] && !second.hasObservers)
        subscription.dispose()
    }

    /// An element that arrives while the queued ones are emitted follows them.
    @Test func reentrantElementsKeepOrder() {
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let log = Cell<[Int]>([])
        let subscription = Observable.concatEager(first.asObservable(), second.asObservable()).subscribe(onNext: {
            log.append($0)
            if $0 == 1 { second.onNext(9) }
        })
        for value in 1...2 { second.onNext(value) }
        first.onCompleted()
        #expect(log.value == [1, 2, 9])
        subscription.dispose()
    }

    @Test(arguments: [1, 2, Int.max]) func synchronousSourcesTakeNoStack(limit: Int) {
        let sum = Cell(0)
        onSmallStack {
            let source = PublishSubject<Int>()
            let first = PublishSubject<Int>()
            let subscription = source.concatMapEager(maxConcurrent: limit) { index in
                index == 0 ? first.asObservable() : .just(index)
            }.subscribe(onNext: { value in sum.update { $0 += value } })
            for index in 0...20_000 { source.onNext(index) }
            source.onCompleted()
            first.onCompleted()
            subscription.dispose()
        }
        #expect(sum.value == 200_010_000)
    }

    @Test func endlessSourceInsideSubscribeIsStopped() {
        let endless = Observable.repeatElement(1, scheduler: CurrentThreadScheduler.instance)
        #expect(
            emitted(by: Observable.just(0).concat(.just(1)).concatMapEager { _ in endless }.take(2))
                == [.next(1), .next(1), .completed])
    }

    @Test func elementsOfSeveralThreadsKeepOrder() {
        for limit in [2, 3, 8] {
            for _ in 0..<10 {
                let subjects = (0..<8).map { _ in ReplaySubject<Int>.createUnbounded() }
                let log = Cell<[Int]>([])
                let ends = Cell(0)
                let subscription = Observable.concatEager(subjects.map { $0.asObservable() }, maxConcurrent: limit)
                    .subscribe(onNext: { log.append($0) }, onCompleted: { ends.update { $0 += 1 } })
                inParallel(8) { thread in
                    for number in 0..<100 { subjects[thread].onNext(1000 * thread + number) }
                    subjects[thread].onCompleted()
                }
                #expect(log.value == (0..<8).flatMap { thread in (0..<100).map { 1000 * thread + $0 } })
                #expect(ends.value == 1)
                subscription.dispose()
            }
        }
    }

    @Test func formsOfConcatEager() {
        let sources: [Observable<Int>] = [.of(1, 2), .empty(), .of(3)]
        let expected: [Event<Int>] = [.next(1), .next(2), .next(3), .completed]
        #expect(emitted(by: .concatEager(sources)) == expected)
        #expect(emitted(by: .concatEager(.of(1, 2), .of(3))) == expected)
        #expect(emitted(by: Observable.from(sources).concatEager(maxConcurrent: 1)) == expected)
        #expect(emitted(by: Observable.just(Observable.of(1, 2)).concatEager()) == [.next(1), .next(2), .completed])
        #expect(
            emitted(by: Observable.just(1).concatMapEager { Observable.of($0, 2) }) == [.next(1), .next(2), .completed])
        #expect(emitted(by: Observable<Int>.concatEager([])) == [.completed])
        let infallible = Infallible.of(1, 3).concatMapEager(maxConcurrent: 1) { Infallible.of($0, 2) }
        #expect(emitted(by: infallible.asObservable()) == [.next(1), .next(2), .next(3), .next(2), .completed])
    }

    @Test func limitOfZeroTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = Observable.just(1).concatMapEager(maxConcurrent: 0) { Observable.just($0) }
        }
    }
}
