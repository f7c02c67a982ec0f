import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct DistinctUntilChangedTests {
    struct Item: Sendable {
        let key: Int
    }

    static let ints: [Recorded<Event<Int>>] = [
        .next(210, 1), .next(220, 1), .next(230, 3), .next(240, 2), .next(250, 3), .completed(260),
    ]
    static let byParity: [Recorded<Event<Int>>] = [.next(210, 1), .next(240, 2), .next(250, 3), .completed(260)]

    static let table: [Rule<Int, Int>] = [
        Rule(
            "the elements", { $0.distinctUntilChanged() }, of: ints,
            is: [.next(210, 1), .next(230, 3), .next(240, 2), .next(250, 3), .completed(260)], left: 260),
        Rule(
            "compared by a closure", { $0.distinctUntilChanged { $0 % 2 == $1 % 2 } }, of: ints, is: byParity,
            left: 260),
        Rule("their keys", { $0.distinctUntilChanged { $0 % 2 } }, of: ints, is: byParity, left: 260),
        Rule(
            "keys compared by a closure",
            { $0.distinctUntilChanged({ $0 % 2 }, comparer: { $0 == $1 }) }, of: ints, is: byParity, left: 260),
        Rule(
            "all equal", { $0.distinctUntilChanged { _, _ in true } }, of: ints, is: [.next(210, 1), .completed(260)],
            left: 260),
        Rule(
            "a property",
            { $0.map { Item(key: $0 % 2) }.distinctUntilChanged(at: \.key).map(\.key) }, of: ints,
            is: [.next(210, 1), .next(240, 0), .next(250, 1), .completed(260)], left: 260),
    ]

    @Test(arguments: table) func rules(_ rule: Rule<Int, Int>) {
        rule.check()
    }

    /// An element is compared with the last one emitted, not with the element before it.
    @Test func elementIsComparedWithLastEmittedElement() {
        let source = Observable.of(1, 2, 3, 4, 5).distinctUntilChanged { abs($0 - $1) < 2 }
        #expect(emitted(by: source) == [.next(1), .next(3), .next(5), .completed])
    }
}
