import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// `ignore`, `ignoreWhen`, `distinct` and `skipLast`.
@Suite(.balanced) struct SimpleFilteringTests {
    private static let source: [Recorded<Event<Int>>] = [
        .next(210, 1), .next(220, 2), .next(230, 1), .next(240, 3), .completed(250),
    ]
    private static let failing: @Sendable (Int) throws -> Int = { value in
        if value == 2 { throw TestError() }
        return value
    }

    static let rules: [Rule<Int, Int>] = [
        .init("ignore", { $0.ignore(1, 3) }, of: source, is: [.next(220, 2), .completed(250)], left: 250),
        .init(
            "ignoreWhen", { $0.ignoreWhen { $0 > 1 } }, of: source,
            is: [.next(210, 1), .next(230, 1), .completed(250)], left: 250),
        .init(
            "ignoreWhen that throws", { $0.ignoreWhen { _ in throw TestError() } }, of: source,
            is: [.error(210, TestError())], left: 210),
        .init(
            "distinct", { $0.distinct() }, of: source,
            is: [.next(210, 1), .next(220, 2), .next(240, 3), .completed(250)], left: 250),
        .init(
            "distinct by key", { $0.distinct { $0 % 2 } }, of: source,
            is: [.next(210, 1), .next(220, 2), .completed(250)], left: 250),
        .init(
            "distinct by a key that throws", { $0.distinct { try failing($0) } }, of: source,
            is: [.next(210, 1), .error(220, TestError())], left: 220),
        .init(
            "skipLast", { $0.skipLast(2) }, of: source, is: [.next(230, 1), .next(240, 2), .completed(250)], left: 250),
        .init("skipLast of all", { $0.skipLast(9) }, of: source, is: [.completed(250)], left: 250),
        .init(
            "skipLast of none", { $0.skipLast(0) }, of: source,
            is: [.next(210, 1), .next(220, 2), .next(230, 1), .next(240, 3), .completed(250)], left: 250),
        .init(
            "skipLast, an error", { $0.skipLast(1) }, of: [.next(210, 1), .next(220, 2), .error(230, TestError())],
            is: [.next(220, 1), .error(230, TestError())], left: 230),
    ]

    @Test(arguments: rules) func rule(_ rule: Rule<Int, Int>) {
        rule.check()
    }

    @Test func eachSubscriptionRemembersItsOwnElements() {
        let source = Observable.of(1, 1, 2).distinct()
        for _ in 1...2 { #expect(emitted(by: source) == [.next(1), .next(2), .completed]) }
    }

    /// Elements that the observer makes the source emit follow their cause.
    @Test func reentrantElementsKeepTheirOrder() {
        let subject = PublishSubject<Int>()
        let log = Cell<[Int]>([])
        let subscription = subject.skipLast(1).subscribe(onNext: { value in
            log.append(value)
            if value == 1 { subject.onNext(3) }
        })
        for value in [1, 2, 4] { subject.onNext(value) }
        #expect(log.value == [1, 2, 3])
        subscription.dispose()
    }
}
