import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct CombineLatestTests {
    private static let pairs: @Sendable (Observable<Int>, Observable<Int>) -> Observable<[Int]> = {
        .combineLatest($0, $1) {
            if $0 < 0 { throw TestError("negative") }
            return [$0, $1]
        }
    }

    static let rules: [TwoSourceRule<[Int]>] = [
        .init("never", pairs, of: [], [.next(210, 1)], is: [], left: (1000, 1000)),
        .init("both empty", pairs, of: [.completed(210)], [.completed(220)], is: [.completed(220)], left: (210, 220)),
        .init(
            "the latest of each", pairs,
            of: [.next(210, 1), .next(230, 2), .completed(240)], [.next(220, 10), .next(250, 20), .completed(260)],
            is: [.next(220, [1, 10]), .next(230, [2, 10]), .next(250, [2, 20]), .completed(260)], left: (240, 260)),
        .init(
            "an element that can have no partner, of the second", pairs, of: [.completed(210)],
            [.next(220, 1), .next(230, 2)],
            is: [.completed(220)], left: (210, 220)),
        .init(
            "an element that can have no partner, of the first", pairs, of: [.next(205, 1), .next(220, 1)],
            [.completed(210)],
            is: [.completed(220)], left: (220, 210)),
        .init(
            "an empty source, before the other completes", pairs, of: [.completed(210)], [.completed(230)],
            is: [.completed(230)], left: (210, 230)),
        .init(
            "an error of the first", pairs, of: [.next(210, 1), .error(230, TestError())], [.next(220, 2)],
            is: [.next(220, [1, 2]), .error(230, TestError())], left: (230, 230)),
        .init(
            "an error of the second", pairs, of: [.completed(210)], [.error(230, TestError())],
            is: [.error(230, TestError())], left: (210, 230)),
        .init(
            "a throwing closure", pairs, of: [.next(210, -1), .next(240, 1)], [.next(220, 2)],
            is: [.error(220, TestError("negative"))], left: (220, 220)),
    ]

    @Test(arguments: rules) func rule(_ rule: TwoSourceRule<[Int]>) {
        rule.check()
    }

    @Test func emptyCollectionEmitsResultOfClosure() {
        #expect(
            emitted(by: Observable<Int>.combineLatest([Observable<Int>]()) { $0.count }) == [.next(0), .completed])
        #expect(emitted(by: Observable<Int>.combineLatest([Observable<Int>]())) == [.next([]), .completed])
        let failing = Observable<Int>.combineLatest([Observable<Int>]()) { _ in throw TestError() }
        #expect(emitted(by: failing) == [.error(TestError())])
    }

    @Test func synchronousSourcesAlternate() {
        let both = Observable.combineLatest(Observable.of(1, 2, 3), Observable.of(10, 20)) { $0 + $1 }
        #expect(emitted(by: both) == [.next(11), .next(12), .next(22), .next(23), .completed])
    }

    @Test func laterSourcesAreNotSubscribedToAfterError() {
        let started = Cell(0)
        let counted = Observable<Int>.deferred {
            started.update { $0 += 1 }
            return .never()
        }
        let failing = Observable.combineLatest(Observable<Int>.error(TestError()), counted) { $0 + $1 }
        #expect(emitted(by: failing) == [.error(TestError())])
        #expect(started.value == 0)
    }

    @Test func disposingInsideClosureDropsResult() {
        let log = Cell<[Int]>([])
        let handle = SerialDisposable()
        let subjects = (PublishSubject<Int>(), PublishSubject<Int>())
        handle.disposable = Observable.combineLatest(subjects.0, subjects.1) {
            if $0 == 2 { handle.dispose() }
            return $0 + $1
        }.subscribe(onNext: { log.append($0) })
        subjects.1.onNext(10)
        for value in 1...3 { subjects.0.onNext(value) }
        #expect(log.value == [11])
        #expect(!subjects.0.hasObservers && !subjects.1.hasObservers)
    }

    @Test func reentrantElementsAreDeliveredAfterwards() {
        let log = Cell<[Int]>([])
        let subjects = (PublishSubject<Int>(), PublishSubject<Int>())
        let subscription = Observable.combineLatest(subjects.0, subjects.1) { $0 * 10 + $1 }.subscribe(onNext: {
            log.append($0)
            if $0 == 11 {
                subjects.0.onNext(2)
                subjects.1.onNext(2)
            }
            log.append(0)
        })
        subjects.0.onNext(1)
        subjects.1.onNext(1)
        #expect(log.value == [11, 0, 21, 0, 22, 0])
        subscription.dispose()
    }

    @Test func reentrantElementIsDeliveredBeforeCompletion() {
        let log = EventLog<Int>()
        let subjects = (PublishSubject<Int>(), PublishSubject<Int>())
        let both = Observable.combineLatest(subjects.0, subjects.1) { $0 * 10 + $1 }
        _ = both.do(onNext: { value in
            guard value == 11 else { return }
            subjects.0.onNext(2)
            subjects.0.onCompleted()
            subjects.1.onCompleted()
        }).subscribe(log)
        subjects.0.onNext(1)
        subjects.1.onNext(1)
        #expect(log.events == [.next(11), .next(21), .completed])
    }

    /// Only the sources retain the run: it is released with them, even if it was not disposed.
    @Test func droppedSourcesReleaseRun() {
        let element = Cell(0)
        var subjects = [PublishSubject<Int>(), PublishSubject<Int>()]
        _ = Observable.combineLatest(subjects) { $0.count }.subscribe(onNext: { _ in
            element.update { $0 += 1 }
        })
        subjects = []
    }

    @Test func replacedElementsAreReleased() {
        final class Token: Sendable {}
        weak var weakToken: Token?
        let subjects = (PublishSubject<Token>(), PublishSubject<Int>())
        let subscription = Observable.combineLatest(subjects.0, subjects.1) { $1 }.subscribe(onNext: { _ in })
        do {
            let token = Token()
            weakToken = token
            subjects.0.onNext(token)
        }
        #expect(weakToken != nil)
        subjects.0.onNext(Token())
        #expect(weakToken == nil)
        subscription.dispose()
    }
}
