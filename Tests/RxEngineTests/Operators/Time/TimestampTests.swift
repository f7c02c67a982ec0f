import FoundationEssentials
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct TimestampTests {
    static let rules: [TimedRule<[Int]>] = [
        .init(
            "elements", { stamped($0, $1) }, of: [.at(210), .next(225, 7), .completed(250)],
            is: [.next(210, [210, 210]), .next(225, [7, 225]), .completed(250)], to: 250),
        .init(
            "an error", { stamped($0, $1) }, of: [.at(210), .error(220, TestError())],
            is: [.next(210, [210, 210]), .error(220, TestError())], to: 220),
        .init(
            "disposed", { stamped($0, $1) }, of: [.at(210), .at(230)], is: [.next(210, [210, 210])], to: 220,
            disposed: 220),
    ]

    /// The element and the second at which it was emitted.
    private static func stamped(_ source: Observable<Int>, _ scheduler: TestScheduler) -> Observable<[Int]> {
        source.timestamp(scheduler: scheduler).map { [$0.element, Int($0.time.timeIntervalSince1970)] }
    }

    @Test(arguments: rules) func rule(_ rule: TimedRule<[Int]>) {
        rule.check()
    }

    @Test func timestampsCanBeCompared() {
        let time = RxTime(timeIntervalSince1970: 5)
        #expect(Timestamped(1, at: time) == Timestamped(1, at: time))
        #expect(Timestamped(1, at: time) != Timestamped(2, at: time))
        #expect(Set([Timestamped(1, at: time), Timestamped(1, at: time)]).count == 1)
    }
}
