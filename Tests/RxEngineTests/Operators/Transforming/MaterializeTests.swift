import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of `materialize` and `dematerialize`.
@Suite(.balanced) struct MaterializeTests {
    typealias Events = [Recorded<Event<Int>>]

    static let sources: [(name: String, events: Events)] = [
        ("empty", [.completed(250)]),
        ("elements", [.next(210, 1), .next(220, 2), .completed(250)]),
        ("failure", [.next(210, 1), .error(220, TestError())]),
        ("never", [.next(210, 1)]),
    ]

    @Test(arguments: sources) func eventsBecomeElements(name: String, events: Events) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(events)
        let observer = scheduler.start { hot.materialize() }
        var expected = events.map { Recorded(time: $0.time, value: Event.next($0.value)) }
        if let end = events.last, end.value.isStopEvent { expected.append(.completed(end.time)) }
        #expect(observer.events == expected)
        #expect(
            hot.subscriptions == [
                Subscription(200, expected.last?.value.isStopEvent == true ? events.last!.time : 1000)
            ])
    }

    @Test(arguments: sources) func dematerializeRestoresEvents(name: String, events: Events) {
        Rule<Int, Int>(
            name, { $0.materialize().dematerialize() }, of: events, is: events,
            left: events.last?.value.isStopEvent == true ? events.last?.time : 1000
        ).check()
    }

    static let dematerialized: [Rule<Event<Int>, Int>] = [
        Rule(
            "a completion element completes", { $0.dematerialize() },
            of: [.next(210, .next(1)), .next(220, .completed), .completed(250)],
            is: [.next(210, 1), .completed(220)], left: 220),
        Rule(
            "an error element fails", { $0.dematerialize() }, of: [.next(210, .error(TestError())), .completed(250)],
            is: [.error(210, TestError())], left: 210),
        Rule(
            "the end of the source completes", { $0.dematerialize() }, of: [.next(210, .next(1)), .completed(250)],
            is: [.next(210, 1), .completed(250)], left: 250),
    ]

    @Test(arguments: dematerialized) func rules(_ rule: Rule<Event<Int>, Int>) {
        rule.check()
    }

    @Test func elementsAndErrorsOfEvents() {
        let events: [Event<Int>] = [.next(1), .error(TestError("a")), .next(2), .completed, .next(3)]
        let source = Observable.from(events)
        #expect(emitted(by: source.elements()) == [.next(1), .next(2), .next(3), .completed])
        #expect(emitted(by: source.errors().map { "\($0)" }) == [.next("a"), .completed])
        let failing = source.concat(.error(TestError("b")))
        #expect(emitted(by: failing.elements()).last == .error(TestError("b")))
        #expect(emitted(by: failing.errors().map { "\($0)" }) == [.next("a"), .error(TestError("b"))])
        #expect(emitted(by: source.elements().take(1)) == [.next(1), .completed])
    }
}
