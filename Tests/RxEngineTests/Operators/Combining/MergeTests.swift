import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct MergeTests {
    typealias Events = [Recorded<Event<Int>>]

    /// Rules for at most two inner sequences at once.
    static let limited: [FlatteningRule] = [
        FlatteningRule(
            name: "the third source is queued", source: [.next(210, 0), .next(220, 1), .next(230, 2), .completed(240)],
            result: [
                .next(220, 0), .next(235, 10), .next(260, 1), .next(265, 11), .next(281, 20), .next(311, 21),
                .completed(321),
            ],
            left: 240, inners: [[Subscription(210, 270)], [Subscription(220, 275)], [Subscription(270, 321)]]),
        FlatteningRule(
            name: "a queued source starts as soon as one ends",
            result: [
                .next(220, 0), .next(260, 1), .next(265, 10), .next(295, 11), .next(301, 20), .next(331, 21),
                .completed(341),
            ],
            left: 320, inners: [[Subscription(210, 270)], [Subscription(250, 305)], [Subscription(290, 341)]]),
        FlatteningRule(
            name: "an error drops queued sources",
            source: [.next(210, 0), .next(220, 1), .next(230, 2), .completed(240)],
            inner: [[.next(10, 0)], [.error(30, TestError())], [.next(1, 1)]],
            result: [.next(220, 0), .error(250, TestError())],
            left: 240, inners: [[Subscription(210, 250)], [Subscription(220, 250)], []]),
        FlatteningRule(
            name: "disposed", source: [.next(210, 0), .next(220, 1), .next(230, 2), .completed(240)], disposed: 262,
            result: [.next(220, 0), .next(235, 10), .next(260, 1)],
            left: 240, inners: [[Subscription(210, 262)], [Subscription(220, 262)], []]),
    ]

    @Test(arguments: limited) func limitedMergeRunsAtMostTwoSources(_ rule: FlatteningRule) {
        rule.check({ $0.map($1).merge(maxConcurrent: 2) })
    }

    @Test func limitOfZeroTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = Observable.just(Observable.just(1)).merge(maxConcurrent: 0)
        }
    }

    static let table: [(name: String, a: Events, b: Events, result: Events, left: (Int, Int))] = [
        (
            "in time", [.next(210, 1), .next(230, 2), .completed(240)], [.next(220, 8), .completed(260)],
            [.next(210, 1), .next(220, 8), .next(230, 2), .completed(260)], (240, 260)
        ),
        (
            "an error", [.next(210, 1), .error(230, TestError())], [.next(220, 8), .next(240, 9)],
            [.next(210, 1), .next(220, 8), .error(230, TestError())], (230, 230)
        ),
        ("one never ends", [.completed(210)], [.next(220, 8)], [.next(220, 8)], (210, 1000)),
        ("both empty", [.completed(210)], [.completed(220)], [.completed(220)], (210, 220)),
    ]

    @Test(arguments: table) func mergeOfSeveralSources(
        name: String, a: Events, b: Events, result: Events, left: (Int, Int)
    ) {
        let spellings: [@Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>] = [
            { .merge($0, $1) }, { .merge([$0, $1]) }, { .merge(AnyCollection([$0, $1])) },
        ]
        for merge in spellings {
            let scheduler = TestScheduler(initialClock: 0)
            let (first, second) = (scheduler.createHotObservable(a), scheduler.createHotObservable(b))
            let observer = scheduler.start { merge(first.asObservable(), second.asObservable()) }
            #expect(observer.events == result)
            #expect(first.subscriptions == [Subscription(200, left.0)])
            #expect(second.subscriptions == [Subscription(200, left.1)])
        }
    }

    @Test func synchronousSourcesAreMerged() {
        let log = Cell<[Event<Int>]>([])
        _ = Observable<Int>.merge().subscribe { log.append($0) }
        _ = Observable.merge(.just(1), .just(2)).subscribe { log.append($0) }
        _ = Observable.merge(.of(1, 2), .of(10, 20)).subscribe { log.append($0) }
        #expect(
            log.value == [
                .completed, .next(1), .next(2), .completed,
                .next(1), .next(10), .next(2), .next(20), .completed,
            ])
    }

    @Test func noSourceIsStartedAfterError() {
        let runs = Cell(0)
        let counted = Observable<Int>.deferred {
            runs.update { $0 += 1 }
            return .just(1)
        }
        _ = Observable.merge(counted, .error(TestError()), counted).subscribe(onError: { _ in })
        _ = Observable.merge(counted, Endless(), counted).take(3).subscribe()
        #expect(runs.value == 2)
    }

    /// The run ends inside its own start, before the running source ends: the queued source is dropped.
    @Test func queuedSourceIsNotRunAfterEnd() {
        let (stop, runs) = (PublishSubject<Int>(), Cell(0))
        let (running, element) = (Cell<AnyObserver<Int>?>(nil), Observable.just(1).map { _ in runs.update { $0 += 1 } })
        let sources = Observable<Observable<Int>>.create { observer in
            observer.onNext(
                .create { observer in
                    running.update { $0 = observer }
                    return Disposables.create()
                })
            observer.onNext(element.map { 1 })
            stop.onNext(1)
            running.value?.onCompleted()
            return Disposables.create()
        }
        #expect(emitted(by: sources.merge(maxConcurrent: 1).take(until: stop)) == [.completed])
        #expect(runs.value == 0)
        running.update { $0 = nil }
    }
}
