import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct FlatMapFirstTests {
    static let table: [FlatteningRule] = [
        FlatteningRule(
            name: "elements are ignored while one runs",
            result: [.next(220, 0), .next(260, 1), .next(301, 20), .next(331, 21), .completed(341)],
            left: 320, inners: [[Subscription(210, 270)], [], [Subscription(290, 341)]]),
        FlatteningRule(
            name: "the selector is not called while one runs",
            source: [.next(210, 0), .next(250, -1), .next(290, 2), .completed(295)],
            result: [.next(220, 0), .next(260, 1), .next(301, 20), .next(331, 21), .completed(341)],
            left: 295, inners: [[Subscription(210, 270)], [], [Subscription(290, 341)]]),
        FlatteningRule(
            name: "the source ends last", source: [.next(210, 0), .completed(400)],
            result: [.next(220, 0), .next(260, 1), .completed(400)],
            left: 400, inners: [[Subscription(210, 270)], [], []]),
        FlatteningRule(
            name: "the source fails", source: [.next(210, 0), .error(240, TestError())],
            result: [.next(220, 0), .error(240, TestError())], left: 240, inners: [[Subscription(210, 240)], [], []]),
        FlatteningRule(
            name: "an inner fails", inner: [[.next(10, 0), .error(20, TestError())], [], []],
            result: [.next(220, 0), .error(230, TestError())],
            left: 230, inners: [[Subscription(210, 230)], [], []]),
        FlatteningRule(
            name: "the selector throws", source: [.next(210, 0), .next(280, -1)],
            result: [.next(220, 0), .next(260, 1), .error(280, TestError("selector"))],
            left: 280, inners: [[Subscription(210, 270)], [], []]),
        FlatteningRule(
            name: "disposed", disposed: 240, result: [.next(220, 0)],
            left: 240, inners: [[Subscription(210, 240)], [], []]),
        FlatteningRule(
            name: "empty", source: [.completed(300)], result: [.completed(300)], left: 300, inners: [[], [], []]),
    ]

    @Test(arguments: table) func rules(_ rule: FlatteningRule) {
        rule.check({ $0.flatMapFirst($1) })
    }

    @Test func elementEmittedInsideSelectorIsIgnored() {
        let log = Cell<[Int]>([])
        let subject = PublishSubject<Int>()
        let subscription = subject.flatMapFirst { value in
            if value == 1 { subject.onNext(2) }
            return Observable.just(value)
        }.subscribe(onNext: { log.append($0) })
        subject.onNext(1)
        subject.onNext(3)
        #expect(log.value == [1, 3])
        subscription.dispose()
    }
}
