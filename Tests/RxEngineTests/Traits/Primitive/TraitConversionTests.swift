import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of conversions from observables to traits, and between traits.
@Suite(.balanced) struct TraitConversionTests {
    typealias Events = [Recorded<Event<Int>>]

    struct Rule: Sendable, CustomTestStringConvertible {
        var name: String
        var source: Events
        var single: Events
        var maybe: Events
        var left: Int

        var testDescription: String { name }
    }

    static let rules: [Rule] = [
        Rule(name: "never", source: [], single: [], maybe: [], left: 1000),
        Rule(
            name: "empty", source: [.completed(220)], single: [.error(220, RxError.noElements)],
            maybe: [.completed(220)], left: 220),
        Rule(
            name: "one", source: [.next(150, 1), .next(210, 2), .completed(220)],
            single: [.next(220, 2), .completed(220)], maybe: [.next(220, 2), .completed(220)], left: 220),
        Rule(
            name: "two", source: [.next(210, 1), .next(220, 2), .next(230, 3), .completed(240)],
            single: [.error(220, RxError.moreThanOneElement)], maybe: [.error(220, RxError.moreThanOneElement)],
            left: 220),
        Rule(
            name: "error", source: [.error(210, TestError("e"))], single: [.error(210, TestError("e"))],
            maybe: [.error(210, TestError("e"))], left: 210),
        Rule(
            name: "one, then error", source: [.next(210, 1), .error(220, TestError("e"))],
            single: [.error(220, TestError("e"))], maybe: [.error(220, TestError("e"))], left: 220),
        Rule(name: "one without an end", source: [.next(210, 1)], single: [], maybe: [], left: 1000),
    ]

    @Test(arguments: rules) func conversionsOfObservable(rule: Rule) {
        let conversions: [(Events, @Sendable (Observable<Int>) -> Observable<Int>)] = [
            (rule.single, { $0.asSingle().asObservable() }),
            (rule.maybe, { $0.asMaybe().asObservable() }),
            (rule.single, { $0.asSingle().asMaybe().asObservable() }),
        ]
        for (events, convert) in conversions {
            let scheduler = TestScheduler(initialClock: 0)
            let hot = scheduler.createHotObservable(rule.source)
            let observer = scheduler.start { convert(hot.asObservable()) }
            #expect(observer.events == events)
            #expect(hot.subscriptions == [Subscription(200, rule.left)])
        }
    }

    @Test func secondElementOfSynchronousSourceFailsOnce() {
        let log = Cell<[String]>([])
        _ = Observable.of(1, 2, 3).asSingle().subscribe { log.append("\($0)") }
        _ = Observable<Int>.create { observer in
            for number in 1...3 { observer.onNext(number) }
            observer.onCompleted()
            return Disposables.create()
        }.asMaybe().subscribe { log.append("\($0)") }
        #expect(log.value.count == 2)
        #expect(log.value.allSatisfy { $0.contains("\(RxError.moreThanOneElement)") })
    }

    @Test func disposingInsideElementDropsEnd() {
        let log = Cell<[Event<Int>]>([])
        let handle = SerialDisposable()
        let subject = PublishSubject<Int>()
        handle.disposable = subject.asSingle().asObservable().subscribe { event in
            log.append(event)
            handle.dispose()
        }
        subject.onNext(1)
        subject.onCompleted()
        #expect(log.value == [.next(1)])
    }

    @Test func conversionsToCompletable() {
        let log = Cell<[String]>([])
        _ = Single.just(1).asCompletable().subscribe { log.append("\($0)") }
        _ = Single<Int>.error(TestError("e")).asCompletable().subscribe { log.append("\($0)") }
        _ = Observable<Never>.empty().asCompletable().subscribe { log.append("\($0)") }
        _ = Observable<Never>.error(TestError("f")).asCompletable().subscribe { log.append("\($0)") }
        #expect(log.value == ["completed", "error(e)", "completed", "error(f)"])
    }
}
