import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of `flatMapLatest` and `switchLatest`, which differ in who makes the inner sequences.
@Suite(.balanced) struct FlatMapLatestTests {
    static let table: [FlatteningRule] = [
        FlatteningRule(
            name: "the latest replaces the one before",
            result: [.next(220, 0), .next(265, 10), .next(301, 20), .next(331, 21), .completed(341)],
            left: 320, inners: [[Subscription(210, 250)], [Subscription(250, 290)], [Subscription(290, 341)]]),
        FlatteningRule(
            name: "the source ends last", source: [.next(210, 0), .completed(400)],
            result: [.next(220, 0), .next(260, 1), .completed(400)],
            left: 400, inners: [[Subscription(210, 270)], [], []]),
        FlatteningRule(
            name: "the source fails", source: [.next(210, 0), .error(240, TestError())],
            result: [.next(220, 0), .error(240, TestError())], left: 240, inners: [[Subscription(210, 240)], [], []]),
        FlatteningRule(
            name: "the latest fails",
            inner: [[.error(50, TestError("too late"))], [.next(15, 10), .error(20, TestError())], []],
            result: [.next(265, 10), .error(270, TestError())],
            left: 270, inners: [[Subscription(210, 250)], [Subscription(250, 270)], []]),
        FlatteningRule(
            name: "the selector throws", source: [.next(210, 0), .next(230, -1)],
            result: [.next(220, 0), .error(230, TestError("selector"))],
            left: 230, inners: [[Subscription(210, 230)], [], []]),
        FlatteningRule(
            name: "the latest never ends", source: [.next(210, 0), .next(215, 1), .completed(220)],
            inner: [[.completed(2)], [.next(15, 10)]], result: [.next(230, 10)],
            left: 220, inners: [[Subscription(210, 212)], [Subscription(215, 1000)]]),
        FlatteningRule(
            name: "disposed", disposed: 262, result: [.next(220, 0)],
            left: 262, inners: [[Subscription(210, 250)], [Subscription(250, 262)], []]),
        FlatteningRule(
            name: "empty", source: [.completed(300)], result: [.completed(300)], left: 300, inners: [[], [], []]),
    ]

    @Test(arguments: table) func rules(_ rule: FlatteningRule) {
        rule.check({ $0.flatMapLatest($1) }, { $0.map($1).switchLatest() })
    }

    /// Disposing the previous inner sequence may complete the source; the new sequence runs nevertheless.
    @Test(arguments: [false, true]) func completionWhileOldSequenceIsDisposedKeepsNewSequence(_ isScalar: Bool) {
        let subject = PublishSubject<Int>()
        let second = PublishSubject<Int>()
        let log = Cell<[Event<Int>]>([])
        _ = subject.flatMapLatest { number -> Observable<Int> in
            if number == 1 { return Observable.never().do(onDispose: { subject.onCompleted() }) }
            return isScalar ? .just(7) : second.asObservable()
        }.subscribe { log.append($0) }
        subject.onNext(1)
        subject.onNext(2)
        #expect(log.value == (isScalar ? [.next(7), .completed] : []))
        second.onNext(7)
        second.onCompleted()
        #expect(log.value == [.next(7), .completed])
    }

    @Test func selectorRunsBeforeOldIsDisposedAndNewStarts() {
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let subscription = subject.flatMapLatest { number in
            log.append("select \(number)")
            return Observable<Int>.create { _ in
                log.append("start \(number)")
                return Disposables.create { log.append("stop \(number)") }
            }
        }.subscribe()
        subject.onNext(1)
        subject.onNext(2)
        subscription.dispose()
        #expect(log.value == ["select 1", "start 1", "select 2", "stop 1", "start 2", "stop 2"])
    }

    @Test func sourceMayEmitWhileOldSequenceIsDisposed() {
        let log = Cell<[Int]>([])
        let subject = PublishSubject<Int>()
        let subscription = subject.flatMapLatest { number in
            Observable<Int>.create { observer in
                observer.onNext(number)
                return Disposables.create { if number == 1 { subject.onNext(3) } }
            }
        }.subscribe(onNext: { log.append($0) })
        subject.onNext(1)
        subject.onNext(2)
        #expect(log.value == [1, 3], "2 was replaced before it was subscribed to")
        subscription.dispose()
    }

    /// Disposing the previous sequence makes the source emit, or disposes the whole run.
    @Test(arguments: [false, true]) func sequenceThatIsReplacedBeforeItsStartIsNotSubscribedTo(_ isOver: Bool) {
        let (runs, seen) = (Cell(0), Cell<[Int]>([]))
        let source = PublishSubject<Observable<Int>>()
        let counted = Observable<Int>.deferred {
            runs.update { $0 += 1 }
            return .never()
        }
        for replaced in [counted, .just(1)] {
            let run = SingleAssignmentDisposable()
            run.setDisposable(source.switchLatest().subscribe(onNext: { seen.append($0) }))
            source.onNext(.never().do(onDispose: { if isOver { run.dispose() } else { source.onNext(.never()) } }))
            source.onNext(replaced)
            run.dispose()
        }
        #expect(runs.value == 0)
        #expect(seen.value.isEmpty)
    }

    @Test func sequenceStartedInsideSingleElementIsDisposedByNext() {
        let (source, first, last) = (PublishSubject<Observable<Int>>(), PublishSubject<Int>(), PublishSubject<Int>())
        let subscription = source.switchLatest().subscribe(onNext: { if $0 == 1 { source.onNext(first) } })
        source.onNext(.never())
        source.onNext(.just(1))
        #expect(first.hasObservers)
        source.onNext(last)
        #expect(!first.hasObservers && last.hasObservers)
        subscription.dispose()
    }
}
