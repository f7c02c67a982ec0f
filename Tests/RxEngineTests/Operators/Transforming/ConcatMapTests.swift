import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of `concatMap`, and of `concat()`, which takes the inner sequences as they are.
@Suite(.balanced) struct ConcatMapTests {
    static let table: [FlatteningRule] = [
        FlatteningRule(
            name: "one after the other",
            result: [
                .next(220, 0), .next(260, 1), .next(285, 10), .next(315, 11), .next(336, 20), .next(366, 21),
                .completed(376),
            ],
            left: 320, inners: [[Subscription(210, 270)], [Subscription(270, 325)], [Subscription(325, 376)]]),
        FlatteningRule(
            name: "the source ends last", source: [.next(210, 0), .completed(400)],
            result: [.next(220, 0), .next(260, 1), .completed(400)],
            left: 400, inners: [[Subscription(210, 270)], [], []]),
        FlatteningRule(
            name: "the source fails", source: [.next(210, 0), .next(220, 1), .error(240, TestError())],
            result: [.next(220, 0), .error(240, TestError())], left: 240, inners: [[Subscription(210, 240)], [], []]),
        FlatteningRule(
            name: "an inner fails", inner: [[.next(10, 0), .error(60, TestError())], [], []],
            result: [.next(220, 0), .error(270, TestError())],
            left: 270, inners: [[Subscription(210, 270)], [], []]),
        FlatteningRule(
            name: "the selector is called at once", source: [.next(210, 0), .next(230, -1)],
            result: [.next(220, 0), .error(230, TestError("selector"))],
            left: 230, inners: [[Subscription(210, 230)], [], []]),
        FlatteningRule(
            name: "an inner never ends", inner: [[.next(10, 0)], [], []], result: [.next(220, 0)],
            left: 320, inners: [[Subscription(210, 1000)], [], []]),
        FlatteningRule(
            name: "disposed", disposed: 290, result: [.next(220, 0), .next(260, 1), .next(285, 10)],
            left: 290, inners: [[Subscription(210, 270)], [Subscription(270, 290)], []]),
        FlatteningRule(
            name: "empty", source: [.completed(300)], result: [.completed(300)], left: 300, inners: [[], [], []]),
    ]

    @Test(arguments: table) func rules(_ rule: FlatteningRule) {
        rule.check(
            { $0.concatMap($1) }, { $0.map($1).concat() }, { $0.map($1).merge(maxConcurrent: 1) })
    }

    /// However many wait for one that ends, and however each of them ends.
    @Test(arguments: [0, 1, 2, 3]) func longQueueTakesNoStack(kind: Int) {
        onSmallStack {
            let count = 100_000
            let first = PublishSubject<Int>()
            let seen = Cell(0)
            let ends = Cell(0)
            let sources = PublishSubject<Observable<Int>>()
            _ = sources.concat().subscribe(
                onNext: { _ in seen.update { $0 += 1 } }, onCompleted: { ends.update { $0 += 1 } })
            sources.onNext(first)
            for number in 1...count {
                switch kind {
                case 0: sources.onNext(.just(number))
                case 1: sources.onNext(.empty())
                case 2:
                    sources.onNext(
                        .create { observer in
                            observer.onNext(number)
                            observer.onCompleted()
                            return Disposables.create()
                        })
                default: sources.onNext(.of(number))
                }
            }
            sources.onCompleted()
            #expect(seen.value == 0)
            first.onCompleted()
            #expect(seen.value == (kind == 1 ? 0 : count))
            #expect(ends.value == 1)
        }
    }

    /// However many have ended, and however.
    @Test func endedSequencesAreReleasedDuringRun() {
        #if TRACE_RESOURCES
        let sources = PublishSubject<Observable<Int>>()
        let seen = Cell(0)
        let subscription = sources.concat().subscribe(onNext: { _ in seen.update { $0 += 1 } })
        let before = Resources.total
        for _ in 1...1000 {
            let inner = PublishSubject<Int>()
            sources.onNext(inner)
            inner.onNext(1)
            inner.onCompleted()
        }
        #expect(seen.value == 1000 && Resources.total == before)
        subscription.dispose()
        #endif
    }

    /// The inner sequence ends inside its own start, in which its source would otherwise continue for ever.
    @Test func innerSequenceThatEndsInsideItsStartIsStopped() {
        let subject = PublishSubject<Int>()
        let log = EventLog<Int>()
        let subscription = subject.map { _ in Observable.repeatElement(5).share().take(1) }.concat().subscribe(log)
        for number in 1...2 { subject.onNext(number) }
        subject.onCompleted()
        #expect(log.events == [.next(5), .next(5), .completed])
        subscription.dispose()
    }

    /// As with every other operator, an end is delivered before what has ended is released.
    @Test(arguments: [
        Observable.just(1), .of(1),
        .create {
            $0.onNext(1); $0.onCompleted(); return Disposables.create()
        },
    ])
    func lastInnerSequenceIsReleasedAfterEnd(source: Observable<Int>) {
        let (log, observers) = (Cell<[String]>([]), Cell<[AnyObserver<Int>]>([]))
        let inner = Observable<Int>.create { observer in
            observers.append(observer)
            return Disposables.create { log.append("freed") }
        }
        let subscription = source.concatMap { _ in inner }.subscribe(onCompleted: { log.append("end") })
        observers.value.last?.onCompleted()
        #expect(log.value == ["end", "freed"])
        subscription.dispose()
    }

    @Test func longQueueIsReleasedWithoutRecursion() {
        onSmallStack {
            let sources = PublishSubject<Observable<Int>>()
            let subscription = sources.concat().subscribe()
            sources.onNext(.never())
            for number in 1...100_000 { sources.onNext(.just(number)) }
            subscription.dispose()
            #expect(!sources.hasObservers)
        }
    }
}
