import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct CompactMapTests {
    @Test(arguments: [
        Rule<String, Int>(
            "nil results are dropped", { $0.compactMap { Int($0) } },
            of: [.next(210, "1"), .next(220, "x"), .next(230, "3"), .completed(250)],
            is: [.next(210, 1), .next(230, 3), .completed(250)], left: 250),
        Rule("empty", { $0.compactMap { Int($0) } }, of: [.completed(250)], is: [.completed(250)], left: 250),
    ]) func rules(_ rule: Rule<String, Int>) {
        rule.check()
    }

    @Test func onlyOuterOptionalIsUnwrapped() {
        let source = Observable.of(1, 2).compactMap { $0 == 1 ? Int??.some(nil) : nil }
        #expect(emitted(by: source) == [.next(nil), .completed])
    }
}
