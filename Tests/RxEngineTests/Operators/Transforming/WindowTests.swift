import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct WindowTests {
    /// Emits `number: event` for each window, and the window's number when it opens.
    private static let transcript: TimedRule<String>.Operation = { source, scheduler in
        source.window(timeSpan: .seconds(70), count: 3, scheduler: scheduler).enumerated().flatMap { number, window in
            window.materialize().map { "\(number): \($0)" }.startWith("\(number)")
        }
    }

    static let rules: [TimedRule<String>] = [
        .init(
            "never", transcript, of: [], is: [.next(200, "0"), .next(270, "0: completed"), .next(270, "1")], to: 300,
            disposed: 300),
        .init(
            "empty", transcript, of: [.completed(210)],
            is: [.next(200, "0"), .next(210, "0: completed"), .completed(210)], to: 210),
        .init(
            "by count and by time", transcript, of: [.at(210), .at(220), .at(230), .at(240), .completed(310)],
            is: [
                .next(200, "0"), .next(210, "0: next(210)"), .next(220, "0: next(220)"), .next(230, "0: next(230)"),
                .next(230, "0: completed"), .next(230, "1"), .next(240, "1: next(240)"),
                .next(300, "1: completed"), .next(300, "2"), .next(310, "2: completed"), .completed(310),
            ], to: 310),
        .init(
            "an error also ends the window", transcript, of: [.at(210), .error(220, TestError())],
            is: [
                .next(200, "0"), .next(210, "0: next(210)"), .next(220, "0: error(test error)"),
                .error(220, TestError()),
            ], to: 220),
        .init("disposed", transcript, of: [.at(210)], is: [.next(200, "0")], to: 205, disposed: 205),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<String>) {
        rule.check()
    }

    @Test func subscribedWindowKeepsSourceRunning() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable((21...40).map { .at(10 * $0) })
        let observer = scheduler.start {
            hot.asObservable().window(timeSpan: .seconds(55), count: 100, scheduler: scheduler).take(1).flatMap { $0 }
        }
        #expect(observer.events == (21...25).map { .at(10 * $0) } + [.completed(255)])
        #expect(hot.subscriptions == [Subscription(200, 255)])
    }

    @Test func sourceIsNotSubscribedToIfFirstWindowEndsResult() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.at(210), .at(220)])
        let observer = scheduler.start {
            hot.asObservable().window(timeSpan: .seconds(55), count: 100, scheduler: scheduler).take(1).map { _ in 0 }
        }
        #expect(observer.events == [.next(200, 0), .completed(200)])
        #expect(hot.subscriptions == [])
    }
}
