import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// `debounce` and `throttle` whose spans a closure selects.
@Suite(.balanced) struct SelectorSpansTests {
    private static let source: [Recorded<Event<Int>>] = [.at(210), .at(220), .at(245), .at(300), .completed(310)]

    private static func span(_ seconds: Int, _ scheduler: TestScheduler) -> Observable<Int> {
        .timer(.seconds(seconds), scheduler: scheduler)
    }

    static let rules: [TimedRule<Int>] = [
        .init(
            "debounce", { source, scheduler in source.debounce { _ in span(20, scheduler) } }, of: source,
            is: [.next(240, 220), .next(265, 245), .next(320, 300), .completed(320)], to: 310),
        .init(
            "debounce by element", { source, scheduler in source.debounce { span($0 == 220 ? 30 : 5, scheduler) } },
            of: source, is: [.next(215, 210), .next(250, 245), .next(305, 300), .completed(310)], to: 310),
        .init(
            "debounce until completion", { source, _ in source.debounce { _ in Observable<Int>.empty() } },
            of: [.at(210), .completed(220)], is: [.at(210), .completed(220)], to: 220),
        .init(
            "debounce that fails", { source, _ in source.debounce { _ in Observable<Int>.error(TestError()) } },
            of: source, is: [.error(210, TestError())], to: 210),
        .init(
            "debounce, a closure that throws",
            { source, _ in source.debounce { _ -> Observable<Int> in throw TestError() } },
            of: source, is: [.error(210, TestError())], to: 210),
        .init(
            "throttle", { source, scheduler in source.throttle { _ in span(30, scheduler) } }, of: source,
            is: [.at(210), .at(245), .at(300), .completed(330)], to: 310),
        .init(
            "throttle that fails", { source, _ in source.throttle { _ in Observable<Int>.error(TestError()) } },
            of: source, is: [.at(210), .error(210, TestError())], to: 210),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<Int>) {
        rule.check()
    }

    /// The observer makes the span emit again while it receives the element.
    @Test func spanEndsOnce() {
        let (source, span) = (PublishSubject<Int>(), PublishSubject<Void>())
        let received = Cell<[Event<Int>]>([])
        let subscription = source.debounce { _ in span }.subscribe { event in
            received.append(event)
            span.onNext(())
        }
        source.onNext(1)
        span.onNext(())
        source.onNext(2)
        source.onCompleted()
        span.onCompleted()
        #expect(received.value == [.next(1), .next(2), .completed])
        subscription.dispose()
    }

    @Test func observerThatDisposesReceivesNoCompletion() {
        let (source, span) = (PublishSubject<Int>(), PublishSubject<Void>())
        let received = Cell<[Event<Int>]>([])
        let subscription = SingleAssignmentDisposable()
        subscription.setDisposable(
            source.debounce { _ in span }.subscribe { event in
                received.append(event)
                subscription.dispose()
            })
        source.onNext(1)
        source.onCompleted()
        span.onNext(())
        #expect(received.value == [.next(1)])
    }
}
