import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of `skip(_:)` and `skip(while:)`.
@Suite(.balanced) struct SkipTests {
    static let ints: [Recorded<Event<Int>>] = [
        .next(210, 1), .next(220, 2), .next(230, 1), .completed(250), .next(260, 4),
    ]
    static let all: [Recorded<Event<Int>>] = [.next(210, 1), .next(220, 2), .next(230, 1), .completed(250)]

    static let table: [Rule<Int, Int>] = [
        Rule("none", { $0.skip(0) }, of: ints, is: all, left: 250),
        Rule("less than none", { $0.skip(-3) }, of: ints, is: all, left: 250),
        Rule("some", { $0.skip(2) }, of: ints, is: [.next(230, 1), .completed(250)], left: 250),
        Rule("more than there are", { $0.skip(9) }, of: ints, is: [.completed(250)], left: 250),
        Rule(
            "while", { $0.skip(while: { $0 < 2 }) }, of: ints,
            is: [.next(220, 2), .next(230, 1), .completed(250)], left: 250),
        Rule("while never", { $0.skip(while: { _ in false }) }, of: ints, is: all, left: 250),
        Rule("while always", { $0.skip(while: { _ in true }) }, of: ints, is: [.completed(250)], left: 250),
    ]

    @Test(arguments: table) func rules(_ rule: Rule<Int, Int>) {
        rule.check()
    }

    @Test func predicateIsNotCalledAfterItFails() {
        let asked = Cell<[Int]>([])
        _ = emitted(
            by: Observable.of(1, 2, 3, 4).skip {
                asked.append($0)
                return $0 < 2
            })
        #expect(asked.value == [1, 2])
    }
}
