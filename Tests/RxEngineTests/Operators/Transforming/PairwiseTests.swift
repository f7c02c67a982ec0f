import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct PairwiseTests {
    private static let pairs: @Sendable (Observable<Int>) -> Observable<[Int]> = { source in
        source.pairwise().map { [$0.previous, $0.current] }
    }

    static let rules: [Rule<Int, [Int]>] = [
        .init("empty", pairs, of: [.completed(250)], is: [.completed(250)], left: 250),
        .init("one", pairs, of: [.next(210, 1), .completed(250)], is: [.completed(250)], left: 250),
        .init(
            "several", pairs, of: [.next(210, 1), .next(220, 2), .next(230, 3), .completed(250)],
            is: [.next(220, [1, 2]), .next(230, [2, 3]), .completed(250)], left: 250),
        .init(
            "an error", pairs, of: [.next(210, 1), .next(220, 2), .error(230, TestError())],
            is: [.next(220, [1, 2]), .error(230, TestError())], left: 230),
        .init("never", pairs, of: [.next(210, 1)], is: [], left: 1000),
    ]

    @Test(arguments: rules) func rule(_ rule: Rule<Int, [Int]>) {
        rule.check()
    }

    @Test func eachSubscriptionHasItsOwnPreviousElement() {
        let pairs = Self.pairs(.of(1, 2, 3))
        for _ in 1...2 { #expect(emitted(by: pairs) == [.next([1, 2]), .next([2, 3]), .completed]) }
    }

    @Test func reentrantElementFollowsItsCause() {
        let subject = PublishSubject<Int>()
        let log = Cell<[[Int]]>([])
        let subscription = Self.pairs(subject).subscribe(onNext: { pair in
            log.append(pair)
            if pair == [1, 2] { subject.onNext(3) }
        })
        for value in [1, 2, 4] { subject.onNext(value) }
        #expect(log.value == [[1, 2], [2, 3], [3, 4]])
        subscription.dispose()
    }
}
