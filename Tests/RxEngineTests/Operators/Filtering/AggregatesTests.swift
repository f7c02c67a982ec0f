import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// `last`, `isEmpty`, `any`, `all`, `contains`, `count` and `sequenceEqual`: their outcome, and when they leave the source.
@Suite(.balanced) struct AggregatesTests {
    private static let source: [Recorded<Event<Int>>] = [.next(210, 1), .next(220, 2), .completed(250)]
    private static let empty: [Recorded<Event<Int>>] = [.completed(250)]
    private static let failure: [Recorded<Event<Int>>] = [.next(210, 1), .error(220, TestError())]

    private static func text(
        _ operation: @escaping @Sendable (Observable<Int>) -> Single<some Sendable>
    ) -> @Sendable (Observable<Int>) -> Observable<String> {
        { source in operation(source).asObservable().map { "\($0)" } }
    }

    private static func gives(_ text: String, at time: Int) -> [Recorded<Event<String>>] {
        [.next(time, text), .completed(time)]
    }

    static let rules: [Rule<Int, String>] = [
        .init("last", text { $0.last() }, of: source, is: gives("Optional(2)", at: 250), left: 250),
        .init("last of none", text { $0.last() }, of: empty, is: gives("nil", at: 250), left: 250),
        .init("last, an error", text { $0.last() }, of: failure, is: [.error(220, TestError())], left: 220),
        .init("last(default:)", text { $0.last(default: 9) }, of: source, is: gives("2", at: 250), left: 250),
        .init("last(default:) of none", text { $0.last(default: 9) }, of: empty, is: gives("9", at: 250), left: 250),
        .init(
            "last(default:), an error", text { $0.last(default: 9) }, of: failure, is: [.error(220, TestError())],
            left: 220),
        .init("isEmpty", text { $0.isEmpty() }, of: source, is: gives("false", at: 210), left: 210),
        .init("isEmpty of none", text { $0.isEmpty() }, of: empty, is: gives("true", at: 250), left: 250),
        .init(
            "isEmpty, an error", text { $0.isEmpty() }, of: [.error(210, TestError())], is: [.error(210, TestError())],
            left: 210),
        .init("any", text { $0.any { $0 > 1 } }, of: source, is: gives("true", at: 220), left: 220),
        .init("any of none", text { $0.any { $0 > 2 } }, of: source, is: gives("false", at: 250), left: 250),
        .init(
            "any that throws", text { $0.any { _ in throw TestError() } }, of: source, is: [.error(210, TestError())],
            left: 210),
        .init("all", text { $0.all { $0 > 0 } }, of: source, is: gives("true", at: 250), left: 250),
        .init("all but one", text { $0.all { $0 < 2 } }, of: source, is: gives("false", at: 220), left: 220),
        .init("all, an error", text { $0.all { $0 > 0 } }, of: failure, is: [.error(220, TestError())], left: 220),
        .init(
            "all that throws", text { $0.all { _ in throw TestError() } }, of: source, is: [.error(210, TestError())],
            left: 210),
        .init("contains, an error", text { $0.contains(2) }, of: failure, is: [.error(220, TestError())], left: 220),
        .init(
            "count that throws", text { $0.count { _ in throw TestError() } }, of: source,
            is: [.error(210, TestError())], left: 210),
        .init("contains", text { $0.contains(1) }, of: source, is: gives("true", at: 210), left: 210),
        .init("contains nothing", text { $0.contains(1) }, of: empty, is: gives("false", at: 250), left: 250),
        .init("count", text { $0.count() }, of: source, is: gives("2", at: 250), left: 250),
        .init("count some", text { $0.count { $0 > 1 } }, of: source, is: gives("1", at: 250), left: 250),
        .init("count of none", text { $0.count() }, of: empty, is: gives("0", at: 250), left: 250),
        .init("count, an error", text { $0.count() }, of: failure, is: [.error(220, TestError())], left: 220),
        .init(
            "equal", text { $0.sequenceEqual(.of(1, 2)) }, of: source, is: gives("true", at: 250), left: 250),
        .init(
            "another element", text { $0.sequenceEqual(Observable.of(3, 2)) }, of: source, is: gives("false", at: 210),
            left: 210),
        .init(
            "longer", text { $0.sequenceEqual(Observable.of(1)) }, of: source, is: gives("false", at: 220), left: 220),
        .init(
            "shorter", text { $0.sequenceEqual(Observable.of(1, 2, 3)) }, of: source, is: gives("false", at: 250),
            left: 250),
        .init(
            "equal, an error", text { $0.sequenceEqual(Observable.of(1, 2)) }, of: failure,
            is: [.error(220, TestError())], left: 220),
        .init(
            "the other fails", text { $0.sequenceEqual(Observable.error(TestError())) }, of: source,
            is: [.error(200, TestError())], left: 200),
    ]

    @Test(arguments: rules) func rule(_ rule: Rule<Int, String>) {
        rule.check()
    }
}
