import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of `take(for:)` and `skip` of a time span.
@Suite(.balanced) struct SpanTests {
    private static let taking: TimedRule<Int>.Operation = { $0.take(for: .seconds(50), scheduler: $1) }
    private static let skipping: TimedRule<Int>.Operation = { $0.skip(.seconds(50), scheduler: $1) }

    static let rules: [TimedRule<Int>] = [
        .init("take: never", taking, of: [], is: [.completed(250)], to: 250),
        .init(
            "take: up to then", taking, of: [.at(210), .at(240), .at(260), .completed(300)],
            is: [.at(210), .at(240), .completed(250)], to: 250),
        .init("take: just in time", taking, of: [.at(250), .at(251)], is: [.at(250), .completed(250)], to: 250),
        .init(
            "take: an end before", taking, of: [.at(210), .completed(220)], is: [.at(210), .completed(220)], to: 220),
        .init("take: an error", taking, of: [.error(220, TestError())], is: [.error(220, TestError())], to: 220),
        .init("take: disposed", taking, of: [.at(210)], is: [.at(210)], to: 220, disposed: 220),
        .init(
            "take: no time at all", { $0.take(for: .seconds(0), scheduler: $1) }, of: [.at(201), .at(202)],
            is: [.at(201), .completed(201)], to: 201),
        .init("skip: never", skipping, of: [], is: [], to: 1000),
        .init(
            "skip: up to then", skipping, of: [.at(210), .at(240), .at(260), .completed(300)],
            is: [.at(260), .completed(300)], to: 300),
        .init("skip: just too early", skipping, of: [.at(250), .at(251)], is: [.at(251)], to: 1000),
        .init("skip: an end before", skipping, of: [.at(210), .completed(220)], is: [.completed(220)], to: 220),
        .init("skip: an error", skipping, of: [.error(220, TestError())], is: [.error(220, TestError())], to: 220),
        .init("skip: disposed", skipping, of: [.at(260), .at(280)], is: [.at(260)], to: 270, disposed: 270),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<Int>) {
        rule.check()
    }

    @Test func takeForSpanStopsEndlessSourceOnQueue() async throws {
        let isOver = Cell(false)
        let queue = SerialDispatchQueueScheduler(qos: .default)
        let source = Observable<Int>.interval(.microseconds(50), scheduler: SerialDispatchQueueScheduler(qos: .utility))
        _ = source.take(for: .milliseconds(20), scheduler: queue).subscribe(onCompleted: { isOver.update { $0 = true } }
        )
        try await eventually("the sequence has ended") { isOver.value }
    }
}
