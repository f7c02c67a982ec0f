import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct TimeoutTests {
    private static let by50: TimedRule<Int>.Operation = { $0.timeout(.seconds(50), scheduler: $1) }
    private static let orOther: TimedRule<Int>.Operation = {
        $0.timeout(.seconds(50), other: Observable.of(-1, -2), scheduler: $1)
    }

    static let rules: [TimedRule<Int>] = [
        .init("never", by50, of: [], is: [.error(250, RxError.timeout)], to: 250),
        .init("empty", by50, of: [.completed(210)], is: [.completed(210)], to: 210),
        .init("an error", by50, of: [.error(210, TestError())], is: [.error(210, TestError())], to: 210),
        .init(
            "in time", by50, of: [.at(240), .at(280), .at(320), .completed(360)],
            is: [.at(240), .at(280), .at(320), .completed(360)], to: 360),
        .init(
            "the timeout restarts at each element", by50, of: [.at(210), .at(220), .at(280)],
            is: [.at(210), .at(220), .error(270, RxError.timeout)], to: 270),
        .init(
            "just in time", by50, of: [.at(250), .at(300), .completed(350)],
            is: [.at(250), .at(300), .completed(350)], to: 350),
        .init("disposed before the event is due", by50, of: [], is: [], to: 240, disposed: 240),
        .init(
            "the other sequence follows the timeout", orOther, of: [.at(210), .at(300), .completed(310)],
            is: [.at(210), .next(260, -1), .next(260, -2), .completed(260)], to: 260),
        .init(
            "without a timeout the other is not subscribed to", orOther, of: [.at(210), .completed(220)],
            is: [.at(210), .completed(220)],
            to: 220),
        .init(
            "an error does not switch to the other sequence", orOther, of: [.error(220, TestError())],
            is: [.error(220, TestError())], to: 220),
        .init(
            "the timeout may be infinite", { $0.timeout(.never, scheduler: $1) }, of: [.at(900)], is: [.at(900)],
            to: 1000),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<Int>) {
        rule.check()
    }

    @Test func otherIsSubscribedToAtTimeout() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.at(230), .at(400)])
        let other = scheduler.createColdObservable([.next(10, 1), .next(20, 2), .next(300, 3)])
        let observer = scheduler.start(disposed: 500) {
            hot.timeout(.seconds(100), other: other, scheduler: scheduler)
        }
        #expect(observer.events == [.next(230, 230), .next(340, 1), .next(350, 2)])
        #expect(hot.subscriptions == [Subscription(200, 330)])
        #expect(other.subscriptions == [Subscription(330, 500)])
    }

    @Test func endlessOtherCanBeStopped() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start {
            Observable.never().timeout(.seconds(100), other: Observable.repeatElement(1), scheduler: scheduler).take(3)
        }
        #expect(observer.events == [.next(300, 1), .next(300, 1), .next(300, 1), .completed(300)])
    }

    @Test func timeoutOnQueueCountsFromLastElement() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let last = Cell(Duration.zero)
        let failed = Cell<Duration?>(nil)
        let subject = PublishSubject<Int>()
        _ = subject.timeout(.milliseconds(100), scheduler: scheduler).subscribe(
            onNext: { _ in last.update { [now = scheduler.elapsed] in $0 = now } },
            onError: { _ in failed.update { [now = scheduler.elapsed] in $0 = now } })
        let end = scheduler.elapsed + .milliseconds(250)
        while failed.value == nil, scheduler.elapsed < end { subject.onNext(1) }
        try await eventually("the sequence has failed") { failed.value != nil }
        #expect(failed.value.map { $0 - last.value >= .milliseconds(100) } == true)
        try await eventually("the source is disposed, after the error") { !subject.hasObservers }
    }
}
