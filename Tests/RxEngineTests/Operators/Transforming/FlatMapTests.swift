import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct FlatMapTests {
    static let table: [FlatteningRule] = [
        FlatteningRule(
            name: "all run at once",
            result: [
                .next(220, 0), .next(260, 1), .next(265, 10), .next(295, 11), .next(301, 20), .next(331, 21),
                .completed(341),
            ],
            left: 320, inners: [[Subscription(210, 270)], [Subscription(250, 305)], [Subscription(290, 341)]]),
        FlatteningRule(
            name: "the source ends last", source: [.next(210, 0), .completed(400)],
            result: [.next(220, 0), .next(260, 1), .completed(400)],
            left: 400, inners: [[Subscription(210, 270)], [], []]),
        FlatteningRule(name: "never", source: [], result: [], left: 1000, inners: [[], [], []]),
        FlatteningRule(
            name: "empty", source: [.completed(300)], result: [.completed(300)], left: 300, inners: [[], [], []]),
        FlatteningRule(
            name: "the source fails", source: [.next(210, 0), .error(240, TestError())],
            result: [.next(220, 0), .error(240, TestError())], left: 240, inners: [[Subscription(210, 240)], [], []]),
        FlatteningRule(
            name: "an inner fails",
            inner: [[.next(10, 0), .next(50, 1)], [.next(15, 10), .error(20, TestError())], []],
            result: [.next(220, 0), .next(260, 1), .next(265, 10), .error(270, TestError())],
            left: 270, inners: [[Subscription(210, 270)], [Subscription(250, 270)], []]),
        FlatteningRule(
            name: "the selector throws", source: [.next(210, 0), .next(230, -1), .next(250, 1)],
            result: [.next(220, 0), .error(230, TestError("selector"))],
            left: 230, inners: [[Subscription(210, 230)], [], []]),
        FlatteningRule(
            name: "an inner never ends", inner: [[.next(10, 0)], [.completed(15)], [.completed(10)]],
            result: [.next(220, 0)],
            left: 320, inners: [[Subscription(210, 1000)], [Subscription(250, 265)], [Subscription(290, 300)]]),
        FlatteningRule(
            name: "disposed", disposed: 262, result: [.next(220, 0), .next(260, 1)],
            left: 262, inners: [[Subscription(210, 262)], [Subscription(250, 262)], []]),
        FlatteningRule(
            name: "the same twice", source: [.next(210, 0), .next(215, 0), .completed(220)],
            result: [.next(220, 0), .next(225, 0), .next(260, 1), .next(265, 1), .completed(275)],
            left: 220, inners: [[Subscription(210, 270), Subscription(215, 275)], [], []]),
    ]

    @Test(arguments: table) func rules(_ rule: FlatteningRule) {
        rule.check({ $0.flatMap($1) }, { $0.map($1).merge() }, { $0.map($1).merge(maxConcurrent: 9) })
    }

    @Test func manyInnerSequencesRunAtOnce() {
        let count = 100_000
        let end = PublishSubject<Int>()
        let log = Cell(0)
        let subscription = Observable.range(start: 0, count: count).flatMap { _ in end }.subscribe(
            onNext: { _ in log.update { $0 += 1 } })
        end.onNext(1)
        #expect(log.value == count)
        subscription.dispose()
        #expect(!end.hasObservers)
    }

    @Test func manyInnerSequencesEndInAnyOrder() {
        let count = 100_000
        let subjects = (0..<count).map { _ in PublishSubject<Int>() }
        let log = Cell<[Event<Int>]>([])
        _ = Observable.from(subjects).merge().subscribe { log.append($0) }
        for index in stride(from: 0, to: count, by: 2) { subjects[index].onCompleted() }
        for index in stride(from: count - 1, to: 0, by: -2) { subjects[index].onCompleted() }
        #expect(log.value == [.completed])
    }
}

/// Rules of every flattening operator.
@Suite(.balanced) struct FlatteningTests {
    @Test(arguments: Flattening.allCases) func synchronousInnerSequences(_ operation: Flattening) {
        let log = Cell<[Event<Int>]>([])
        _ = operation.apply(.from(1...3)) { Observable.just($0) }.subscribe { log.append($0) }
        #expect(log.value == [.next(1), .next(2), .next(3), .completed])
        log.update { $0 = [] }
        _ = operation.apply(.from(1...3)) { _ in Observable<Int>.empty() }.subscribe { log.append($0) }
        #expect(log.value == [.completed])
        log.update { $0 = [] }
        _ = operation.apply(.from(1...3)) { $0 == 2 ? Observable.error(TestError()) : .just($0) }
            .subscribe { log.append($0) }
        #expect(log.value == [.next(1), .error(TestError())])
    }

    /// Events that the observer makes the source emit are delivered in order, and none is lost.
    @Test(arguments: Flattening.allCases, [true, false])
    func reentrantElementsAreDeliveredInOrder(_ operation: Flattening, withJust: Bool) {
        let log = Cell<[Event<Int>]>([])
        let depth = Cell(0)
        let subject = PublishSubject<Int>()
        let extra = Observable<Int>.never()
        _ = operation.apply(subject) { withJust ? Observable.just($0) : Observable.just($0).amb(extra) }.subscribe {
            event in
            #expect(depth.value == 0, "one event after the other")
            depth.update { $0 += 1 }
            log.append(event)
            if event == .next(1) {
                subject.onNext(2)
                subject.onNext(3)
                subject.onCompleted()
            }
            depth.update { $0 -= 1 }
        }
        subject.onNext(1)
        let seen: [Event<Int>] =
            operation == .flatMapFirst ? [.next(1), .completed] : [.next(1), .next(2), .next(3), .completed]
        #expect(log.value == seen)
        #expect(!subject.hasObservers)
    }

    @Test(arguments: Flattening.allCases) func feedbackLoopTakesNoStack(_ operation: Flattening) {
        // While an inner sequence emits, this operator does not ask for another.
        if operation == .flatMapFirst { return }
        onSmallStack {
            let last = Cell(0)
            let subject = PublishSubject<Int>()
            let subscription = operation.apply(subject) { Observable.just($0 + 1) }.subscribe(onNext: { value in
                last.update { $0 = value }
                if value < 100_000 { subject.onNext(value) }
            })
            subject.onNext(0)
            #expect(last.value == 100_000)
            subscription.dispose()
        }
    }

    @Test(arguments: Flattening.allCases) func endlessInnerSequenceIsStoppedFromDownstream(_ operation: Flattening) {
        let log = Cell<[Int]>([])
        _ = operation.apply(.just(1)) { _ in Endless() }.take(3).subscribe(onNext: { log.append($0) })
        #expect(log.value == [0, 1, 2])
    }

    @Test(arguments: Flattening.allCases) func endlessSourceIsStoppedFromDownstream(_ operation: Flattening) {
        let log = Cell<[Int]>([])
        _ = operation.apply(Endless()) { Observable.just($0) }.take(3).subscribe(onNext: { log.append($0) })
        #expect(log.value == [0, 1, 2])
        log.update { $0 = [] }
        let error = Cell(0)
        _ = operation.apply(Endless()) { $0 == 2 ? Observable.error(TestError()) : .just($0) }
            .subscribe(onNext: { log.append($0) }, onError: { _ in error.update { $0 += 1 } })
        #expect(log.value == [0, 1])
        #expect(error.value == 1)
    }

    @Test(arguments: Flattening.allCases) func disposingInsideSelectorStartsNothing(_ operation: Flattening) {
        let log = Cell<[Event<Int>]>([])
        let handle = SerialDisposable()
        let runs = Cell(0)
        let subject = PublishSubject<Int>()
        let inner = Observable<Int>.create { observer in
            runs.update { $0 += 1 }
            observer.onNext(1)
            return Disposables.create()
        }
        handle.disposable = operation.apply(subject) { _ in
            handle.dispose()
            return inner
        }.subscribe { log.append($0) }
        subject.onNext(1)
        #expect(log.value == [])
        #expect(runs.value == 0)
        #expect(!subject.hasObservers)
    }

    /// An inner sequence that is disposed from outside in the middle of its element emits nothing more.
    @Test(arguments: Flattening.allCases) func disposingFromObserverStopsInnerSequence(_ operation: Flattening) {
        let log = Cell<[Int]>([])
        let handle = SerialDisposable()
        let subject = PublishSubject<Int>()
        let inner = PublishSubject<Int>()
        handle.disposable = operation.apply(subject) { _ in inner }.subscribe(onNext: { value in
            log.append(value)
            if value == 2 { handle.dispose() }
        })
        subject.onNext(0)
        (1...3).forEach(inner.onNext)
        #expect(log.value == [1, 2])
        #expect(!subject.hasObservers)
        #expect(!inner.hasObservers)
    }

    /// A run whose subjects are released before they end is released, too, although it is not disposed.
    @Test(arguments: Flattening.allCases) func noRunRetainsItself(_ operation: Flattening) {
        let subject = PublishSubject<Int>()
        let inner = PublishSubject<Int>()
        _ = operation.apply(subject) { _ in inner }.subscribe()
        subject.onNext(1)
        #expect(inner.hasObservers)
    }
}

/// Counts inside its start until it is disposed.
final class Endless: Observable<Int>, @unchecked Sendable {
    init() {
        super.init()
    }

    override func run(_ sink: Sink<Int>) -> any Disposable {
        var number = 0
        while sink.live.isActive {
            sink.next(number)
            number += 1
        }
        return Disposables.create()
    }
}
