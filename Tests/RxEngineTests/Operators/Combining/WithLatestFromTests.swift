import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct WithLatestFromTests {
    private static let pairs: @Sendable (Observable<Int>, Observable<Int>) -> Observable<[Int]> = {
        $0.withLatestFrom($1) {
            if $0 < 0 { throw TestError("negative") }
            return [$0, $1]
        }
    }

    static let rules: [TwoSourceRule<[Int]>] = [
        .init("never", pairs, of: [], [.next(210, 1)], is: [], left: (1000, 1000)),
        .init(
            "elements are emitted once the other has emitted", pairs,
            of: [.next(210, 1), .next(230, 2), .next(250, 3), .completed(300)],
            [.next(220, 10), .next(240, 20), .next(245, 30)],
            is: [.next(230, [2, 10]), .next(250, [3, 30]), .completed(300)], left: (300, 300)),
        .init(
            "the other's last element is kept after its end", pairs,
            of: [.next(230, 2), .next(250, 3), .completed(300)],
            [.next(220, 10), .completed(225)],
            is: [.next(230, [2, 10]), .next(250, [3, 10]), .completed(300)], left: (300, 225)),
        .init(
            "without an element of the other nothing is emitted", pairs, of: [.next(230, 2), .completed(300)],
            [.completed(225)],
            is: [.completed(300)], left: (300, 225)),
        .init(
            "an error of the source", pairs, of: [.error(230, TestError())], [.next(220, 10)],
            is: [.error(230, TestError())], left: (230, 230)),
        .init(
            "an error of the other", pairs, of: [.next(250, 1)], [.error(230, TestError())],
            is: [.error(230, TestError())], left: (230, 230)),
        .init(
            "a throwing closure", pairs, of: [.next(230, -1), .next(240, 1)], [.next(220, 10)],
            is: [.error(230, TestError("negative"))], left: (230, 230)),
        .init(
            "the other's elements alone", { $0.withLatestFrom($1).map { [$0] } }, of: [.next(230, 2), .completed(300)],
            [.next(220, 10)], is: [.next(230, [10]), .completed(300)], left: (300, 300)),
    ]

    @Test(arguments: rules) func rule(_ rule: TwoSourceRule<[Int]>) {
        rule.check()
    }

    @Test func otherIsSubscribedToFirst() {
        let both = Observable.of(1, 2).withLatestFrom(Observable.just(10)) { $0 + $1 }
        #expect(emitted(by: both) == [.next(11), .next(12), .completed])
        let order = Cell<[String]>([])
        let source = Observable<Int>.never().do(onSubscribe: { order.append("source") })
        let other = Observable<Int>.never().do(onSubscribe: { order.append("other") })
        source.withLatestFrom(other).subscribe().dispose()
        #expect(order.value == ["other", "source"])
    }

    @Test func sourceIsNotStartedIfOtherFailsAtOnce() {
        let order = Cell<[String]>([])
        let source = Observable<Int>.never().do(onSubscribe: { order.append("source") })
        #expect(emitted(by: source.withLatestFrom(Observable<Int>.error(TestError()))) == [.error(TestError())])
        #expect(order.value.isEmpty)
    }

    @Test func disposingInsideClosureDropsResult() {
        let log = Cell<[Int]>([])
        let handle = SerialDisposable()
        let subject = PublishSubject<Int>()
        handle.disposable = subject.withLatestFrom(Observable.just(10)) {
            if $0 == 2 { handle.dispose() }
            return $0 + $1
        }.subscribe(onNext: { log.append($0) })
        for value in 1...3 { subject.onNext(value) }
        #expect(log.value == [11])
    }
}
