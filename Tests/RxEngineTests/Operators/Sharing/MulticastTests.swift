import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct MulticastTests {
    private typealias Events = [Recorded<Event<Int>>]
    private static let source: Events = [.next(210, 1), .next(220, 2), .next(230, 3), .completed(240)]

    private func run(
        _ events: Events = source,
        _ selector: @escaping @Sendable (Observable<Int>) throws -> Observable<Int>
    ) -> (Events, [Subscription]) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(events)
        let observer = scheduler.start { hot.multicast({ PublishSubject<Int>() }, selector: selector) }
        return (observer.events, hot.subscriptions)
    }

    @Test func selectorMaySubscribeSeveralTimes() {
        let (events, subscriptions) = run { shared in .zip(shared, shared.skip(1)) { $0 * 10 + $1 } }
        #expect(events == [.next(220, 12), .next(230, 23), .completed(240)])
        #expect(subscriptions == [Subscription(200, 240)])
    }

    @Test func errorOfSourceIsDelivered() {
        let (events, subscriptions) = run([.next(210, 1), .error(220, TestError("e"))]) { $0 }
        #expect(events == [.next(210, 1), .error(220, TestError("e"))])
        #expect(subscriptions == [Subscription(200, 220)])
    }

    @Test func resultMayEndBeforeSource() {
        let (events, subscriptions) = run { $0.take(2) }
        #expect(events == [.next(210, 1), .next(220, 2), .completed(220)])
        #expect(subscriptions == [Subscription(200, 220)])
    }

    @Test func endedResultStartsNoRun() {
        let (events, subscriptions) = run { _ in .empty() }
        #expect(events == [.completed(200)])
        #expect(subscriptions == [])
    }

    @Test func errorOfSelectorIsDelivered() {
        let (events, subscriptions) = run { _ in throw TestError("selector") }
        #expect(events == [.error(200, TestError("selector"))])
        #expect(subscriptions == [])
    }

    @Test func errorOfSubjectSelectorIsDelivered() {
        let failing: @Sendable () throws -> PublishSubject<Int> = { throw TestError("subject") }
        let seen = emitted(by: Observable.of(1).multicast(failing) { $0 })
        #expect(seen == [.error(TestError("subject"))])
    }

    @Test func eachSubscriptionHasItsOwnRun() {
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable([.next(10, 1), .completed(20)] as Events)
        let result = cold.multicast({ ReplaySubject<Int>.createUnbounded() }) { .merge($0, $0) }
        let observers = (0..<2).map { _ in scheduler.createObserver(Int.self) }
        let bag = CompositeDisposable()
        scheduler.scheduleAt(200) { _ = bag.insert(result.subscribe(observers[0])) }
        scheduler.scheduleAt(205) { _ = bag.insert(result.subscribe(observers[1])) }
        scheduler.scheduleAt(216) { bag.dispose() }
        scheduler.start()
        #expect(observers[0].events == [.next(210, 1), .next(210, 1)])
        #expect(observers[1].events == [.next(215, 1), .next(215, 1)])
        #expect(cold.subscriptions == [Subscription(200, 216), Subscription(205, 216)])
    }

    /// A subject that takes numbers and emits text.
    private final class TextSubject: SubjectType, Sendable {
        typealias Element = String

        private let text = PublishSubject<String>()

        func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
        where Observer.Element == String {
            text.subscribe(observer)
        }

        func asObserver() -> AnyObserver<Int> {
            text.asObserver().mapObserver { "number \($0)" }
        }
    }

    @Test func subjectMayEmitAnotherType() {
        let seen = Cell<[Event<String>]>([])
        let connectable = Observable.of(1, 2).multicast(TextSubject())
        _ = connectable.subscribe { seen.append($0) }
        _ = connectable.connect()
        #expect(seen.value == [.next("number 1"), .next("number 2"), .completed])
        #expect(emitted(by: Observable.of(3).multicast({ TextSubject() }) { $0 }) == [.next("number 3"), .completed])
    }

    /// A subject that ignores the end.
    private final class SubjectThatIgnoresTheEnd: SubjectType, Sendable {
        typealias Element = Int

        private let relay = PublishRelay<Int>()

        func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
        where Observer.Element == Int {
            relay.subscribe(observer)
        }

        func asObserver() -> AnyObserver<Int> {
            AnyObserver { [relay] in if case .next(let element) = $0 { relay.accept(element) } }
        }
    }

    @Test func endedSourceIsRunAgainByNextConnection() {
        let seen = Cell<[Event<Int>]>([])
        let connectable = Observable.of(1, 2).multicast(SubjectThatIgnoresTheEnd())
        let subscription = connectable.subscribe { seen.append($0) }
        for _ in 0..<2 { _ = connectable.connect() }
        #expect(seen.value == [.next(1), .next(2), .next(1), .next(2)])
        subscription.dispose()
    }
}
