import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ThrottleTests {
    private static let latest: TimedRule<Int>.Operation = { $0.throttle(.seconds(20), scheduler: $1) }
    private static let first: TimedRule<Int>.Operation = { $0.throttle(.seconds(20), latest: false, scheduler: $1) }

    static let rules: [TimedRule<Int>] = [
        .init("never", latest, of: [], is: [], to: 1000),
        .init("empty", latest, of: [.completed(210)], is: [.completed(210)], to: 210),
        .init("an error", latest, of: [.error(210, TestError())], is: [.error(210, TestError())], to: 210),
        .init(
            "far apart", latest, of: [.at(210), .at(240), .at(260), .completed(400)],
            is: [.next(210, 210), .next(240, 240), .next(260, 260), .completed(400)], to: 400),
        .init(
            "the first and the last", latest, of: [.at(210), .at(215), .at(220), .at(225), .completed(400)],
            is: [.next(210, 210), .next(230, 225), .completed(400)], to: 400),
        .init(
            "a new span starts with a late element", latest,
            of: [.at(210), .at(220), .at(240), .at(245), .at(300)],
            is: [.next(210, 210), .next(230, 220), .next(250, 245), .next(300, 300)], to: 1000),
        .init(
            "an element at the end of the span replaces the pending one", latest,
            of: [.at(210), .at(220), .at(230), .at(235), .completed(400)],
            is: [.next(210, 210), .next(230, 230), .next(250, 235), .completed(400)], to: 400),
        .init(
            "completion follows the pending element", latest, of: [.at(210), .at(215), .completed(220)],
            is: [.next(210, 210), .next(230, 215), .completed(230)], to: 220),
        .init(
            "an error drops the pending element", latest, of: [.at(210), .at(215), .error(220, TestError())],
            is: [.next(210, 210), .error(220, TestError())], to: 220),
        .init(
            "disposed before the pending element is due", latest, of: [.at(210), .at(215)], is: [.at(210)], to: 220,
            disposed: 220),
        .init(
            "no time at all", { $0.throttle(.seconds(0), scheduler: $1) },
            of: [.at(210), .next(210, 7), .completed(300)],
            is: [.at(210), .next(210, 7), .completed(300)], to: 300),
        .init(
            "the first alone", first, of: [.at(210), .at(215), .at(229), .at(230), .at(235), .completed(240)],
            is: [.at(210), .at(230), .completed(240)], to: 240),
        .init(
            "the first alone, an error", first, of: [.at(210), .at(215), .error(220, TestError())],
            is: [.at(210), .error(220, TestError())], to: 220),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<Int>) {
        rule.check()
    }

    @Test func spanStartsWhenObserverReturns() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.at(210), .at(235), .at(250)])
        let observer = scheduler.start {
            hot.throttle(.seconds(20), scheduler: scheduler).do(onNext: { if $0 == 210 { scheduler.sleep(15) } })
        }
        #expect(observer.events == [.next(225, 210), .next(245, 235), .next(265, 250)])
    }

    @Test func throttleOnQueueEmitsLast() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let log = Cell<[Int]>([])
        let subject = PublishSubject<Int>()
        let subscription = subject.throttle(.milliseconds(50), scheduler: scheduler).subscribe(onNext: {
            log.append($0)
        })
        for value in 0..<100 { subject.onNext(value) }
        try await eventually("the last element is emitted") { log.value.last == 99 }
        #expect(log.value.first == 0)
        subscription.dispose()
    }
}
