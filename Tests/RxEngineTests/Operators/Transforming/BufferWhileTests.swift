import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct BufferWhileTests {
    private static let source: [Recorded<Event<Int>>] = [
        .next(210, 1), .next(220, 2), .next(230, 0), .next(240, 0), .next(250, 3), .completed(260),
    ]

    static let rules: [Rule<Int, [Int]>] = [
        .init(
            "runs of elements", { $0.buffer(while: { $0 > 0 }) }, of: source,
            is: [.next(230, [1, 2]), .next(260, [3]), .completed(260)], left: 260),
        .init("no element", { $0.buffer(while: { $0 > 9 }) }, of: source, is: [.completed(260)], left: 260),
        .init(
            "all elements", { $0.buffer(while: { $0 >= 0 }) }, of: source,
            is: [.next(260, [1, 2, 0, 0, 3]), .completed(260)], left: 260),
        .init(
            "an error drops the elements", { $0.buffer(while: { $0 > 0 }) },
            of: [.next(210, 1), .error(220, TestError())], is: [.error(220, TestError())], left: 220),
        .init(
            "a predicate that throws",
            {
                $0.buffer(while: {
                    if $0 == 2 { throw TestError() }
                    return true
                })
            }, of: source, is: [.error(220, TestError())], left: 220),
    ]

    @Test(arguments: rules) func rule(_ rule: Rule<Int, [Int]>) {
        rule.check()
    }

    @Test func disposalInsideArrayStopsCompletion() {
        #expect(emitted(by: Observable.of(1, 0, 2).buffer(while: { $0 > 0 }).take(1)) == [.next([1]), .completed])
    }
}
