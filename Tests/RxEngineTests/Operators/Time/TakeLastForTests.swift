import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct TakeLastForTests {
    private static let last: TimedRule<Int>.Operation = { $0.takeLast(for: .seconds(30), scheduler: $1) }

    static let rules: [TimedRule<Int>] = [
        .init(
            "the last elements", last, of: [.at(210), .at(250), .at(270), .at(275), .completed(290)],
            is: [.next(290, 270), .next(290, 275), .completed(290)], to: 290),
        .init(
            "an element that is just old enough", last, of: [.at(210), .at(220), .completed(250)],
            is: [.next(250, 220), .completed(250)], to: 250),
        .init("none", last, of: [.at(210), .completed(290)], is: [.completed(290)], to: 290),
        .init("empty", last, of: [.completed(210)], is: [.completed(210)], to: 210),
        .init(
            "an error drops the elements", last, of: [.at(210), .error(215, TestError())],
            is: [.error(215, TestError())], to: 215),
        .init(
            "for ever", { $0.takeLast(for: .never, scheduler: $1) }, of: [.at(210), .at(250), .completed(900)],
            is: [.next(900, 210), .next(900, 250), .completed(900)], to: 900),
        .init("never", last, of: [.at(210)], is: [], to: 1000),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<Int>) {
        rule.check()
    }

    @Test func disposalInsideElementsStopsThem() {
        let scheduler = TestScheduler(initialClock: 0)
        let last = Observable.of(1, 2, 3).takeLast(for: .seconds(5), scheduler: scheduler).take(2)
        #expect(emitted(by: last) == [.next(1), .next(2), .completed])
    }

    /// Old elements are released when newer ones arrive, not at the end.
    @Test func oldElementsAreReleased() {
        final class Object: Sendable {}
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Object>()
        let subscription = source.takeLast(for: .seconds(5), scheduler: scheduler).subscribe()
        weak var first: Object?
        do {
            let object = Object()
            first = object
            source.onNext(object)
        }
        #expect(first != nil)
        scheduler.sleep(6)
        source.onNext(Object())
        #expect(first == nil)
        subscription.dispose()
    }
}
