import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// `throttleFirst`, `throttleLast` and `timeInterval`.
@Suite(.balanced) struct SpanVariantsTests {
    private static let source: [Recorded<Event<Int>>] = [
        .at(210), .at(220), .at(245), .at(260), .at(300), .completed(330),
    ]

    static let rules: [TimedRule<Int>] = [
        .init(
            "throttleFirst", { $0.throttleFirst(.seconds(30), scheduler: $1) }, of: source,
            is: [.at(210), .at(245), .at(300), .completed(330)], to: 330),
        .init(
            "throttleFirst, an error", { $0.throttleFirst(.seconds(30), scheduler: $1) },
            of: [.at(210), .error(220, TestError())], is: [.at(210), .error(220, TestError())], to: 220),
        .init(
            "throttleLast", { $0.throttleLast(.seconds(50), scheduler: $1) }, of: source,
            is: [.next(250, 245), .next(300, 300), .completed(350)], to: 330),
        .init(
            "throttleLast, an error", { $0.throttleLast(.seconds(50), scheduler: $1) },
            of: [.at(210), .error(220, TestError())], is: [.error(220, TestError())], to: 220),
        .init(
            "timeInterval", { $0.timeInterval(scheduler: $1).map { Int($0.interval.components.seconds) } }, of: source,
            is: [.next(210, 10), .next(220, 10), .next(245, 25), .next(260, 15), .next(300, 40), .completed(330)],
            to: 330),
        .init(
            "timeInterval, an error",
            { $0.timeInterval(scheduler: $1).map { Int($0.interval.components.seconds) } },
            of: [.at(210), .error(220, TestError())], is: [.next(210, 10), .error(220, TestError())], to: 220),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<Int>) {
        rule.check()
    }
}
