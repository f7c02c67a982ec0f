import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// `mapTo`, `unwrap`, `cast`, `ofType` and `nwise`.
@Suite(.balanced) struct SimpleMappingTests {
    private static let source: [Recorded<Event<Int>>] = [
        .next(210, 1), .next(220, 2), .next(230, 3), .completed(250),
    ]

    static let rules: [Rule<Int, String>] = [
        .init(
            "mapTo", { $0.mapTo("x") }, of: source,
            is: [.next(210, "x"), .next(220, "x"), .next(230, "x"), .completed(250)], left: 250),
        .init(
            "mapTo, an error", { $0.mapTo("x") }, of: [.error(210, TestError())], is: [.error(210, TestError())],
            left: 210),
        .init(
            "unwrap", { $0.map { $0 == 2 ? nil : "\($0)" }.unwrap() }, of: source,
            is: [.next(210, "1"), .next(230, "3"), .completed(250)], left: 250),
        .init(
            "cast", { $0.map { "\($0)" as Any }.cast() }, of: source,
            is: [.next(210, "1"), .next(220, "2"), .next(230, "3"), .completed(250)], left: 250),
        .init(
            "ofType", { $0.map { $0 == 2 ? $0 as Any : "\($0)" as Any }.ofType() }, of: source,
            is: [.next(210, "1"), .next(230, "3"), .completed(250)], left: 250),
        .init(
            "nwise", { $0.nwise(2).map { "\($0)" } }, of: source,
            is: [.next(220, "[1, 2]"), .next(230, "[2, 3]"), .completed(250)], left: 250),
        .init(
            "nwise of more than there are", { $0.nwise(4).map { "\($0)" } }, of: source, is: [.completed(250)],
            left: 250),
        .init(
            "nwise of one", { $0.nwise(1).map { "\($0)" } }, of: source,
            is: [.next(210, "[1]"), .next(220, "[2]"), .next(230, "[3]"), .completed(250)], left: 250),
    ]

    @Test(arguments: rules) func rule(_ rule: Rule<Int, String>) {
        rule.check()
    }

    @Test func castFailsAtFirstOtherType() {
        let log = Cell<[String]>([])
        Observable<Any>.of(1, "x", 2).cast(to: Int.self)
            .subscribe(onNext: { log.append("\($0)") }, onError: { log.append("\($0)") }).dispose()
        #expect(log.value == ["1", "a value of the type String is not of the type Int"])
    }
}
