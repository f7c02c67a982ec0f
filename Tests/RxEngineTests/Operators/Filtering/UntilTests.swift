import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of `take(until:)` and `skip(until:)`, which another sequence triggers.
@Suite(.balanced) struct UntilTests {
    /// What an operator emits for the events of two hot sources, and when it unsubscribes from each.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let source: [Recorded<Event<Int>>]
        let other: [Recorded<Event<String>>]
        let result: [Recorded<Event<Int>>]
        let left: (source: Int?, other: Int?)

        init(
            _ name: String, source: [Recorded<Event<Int>>] = TakeTests.ints, other: [Recorded<Event<String>>],
            is result: [Recorded<Event<Int>>], left: (source: Int?, other: Int?)
        ) {
            testDescription = name
            self.source = source
            self.other = other
            self.result = result
            self.left = left
        }

        func check(_ apply: @escaping @Sendable (Observable<Int>, Observable<String>) -> Observable<Int>) {
            let scheduler = TestScheduler(initialClock: 0)
            let source = scheduler.createHotObservable(source)
            let other = scheduler.createHotObservable(other)
            let observer = scheduler.start { apply(source.asObservable(), other.asObservable()) }
            #expect(observer.events == result)
            #expect(source.subscriptions == (left.source.map { [Subscription(200, $0)] } ?? []))
            #expect(other.subscriptions == (left.other.map { [Subscription(200, $0)] } ?? []))
        }
    }

    static let all: [Recorded<Event<Int>>] = [
        .next(210, 1), .next(220, 2), .next(230, 3), .next(240, 1), .completed(250),
    ]

    static let takes = [
        Case(
            "an element", other: [.next(225, "x")], is: [.next(210, 1), .next(220, 2), .completed(225)],
            left: (225, 225)),
        Case(
            "an element and an end", other: [.next(205, "x"), .completed(205)], is: [.completed(205)],
            left: (205, 205)),
        Case("an end", other: [.completed(225)], is: all, left: (250, 225)),
        Case(
            "an error", other: [.error(215, TestError())], is: [.next(210, 1), .error(215, TestError())],
            left: (215, 215)),
        Case("nothing", other: [], is: all, left: (250, 250)),
        Case("an element after the end", other: [.next(255, "x")], is: all, left: (250, 250)),
        Case(
            "an element beside a failure", source: [.next(210, 1), .error(220, TestError())], other: [.next(220, "x")],
            is: [.next(210, 1), .error(220, TestError())], left: (220, 220)),
    ]

    @Test(arguments: takes) func takeUntilRules(_ rule: Case) {
        rule.check { $0.take(until: $1) }
    }

    static let skips = [
        Case(
            "an element", other: [.next(225, "x")], is: [.next(230, 3), .next(240, 1), .completed(250)],
            left: (250, 225)),
        Case("an end", other: [.completed(225)], is: [], left: (250, 225)),
        Case("an error", other: [.error(215, TestError())], is: [.error(215, TestError())], left: (215, 215)),
        Case(
            "an error after an element", other: [.next(205, "x"), .error(215, TestError())], is: all,
            left: (250, 205)),
        Case("nothing", other: [], is: [], left: (250, 250)),
        Case("an element after the end", other: [.next(255, "x")], is: [], left: (250, 250)),
        Case(
            "an element after a failure", source: [.next(210, 1), .error(220, TestError())], other: [.next(230, "x")],
            is: [.error(220, TestError())], left: (220, 220)),
    ]

    @Test(arguments: skips) func skipUntilRules(_ rule: Case) {
        rule.check { $0.skip(until: $1) }
    }

    @Test func takeUntilEndedTriggerSubscribesToNothing() {
        let subscribed = Cell(false)
        let source = Observable.of(1).do(onSubscribe: { subscribed.update { $0 = true } })
        #expect(emitted(by: source.take(until: Observable.just(1))) == [.completed])
        #expect(emitted(by: source.take(until: Observable<Int>.error(TestError()))) == [.error(TestError())])
        #expect(!subscribed.value)
    }

    @Test func skipUntilSynchronousTriggerEmitsAll() {
        #expect(emitted(by: Observable.of(1, 2).skip(until: Observable.just(0))) == [.next(1), .next(2), .completed])
        #expect(emitted(by: Observable.just(1).skip(until: Observable.just(0))) == [])
    }

    @Test func endlessSourceIsStopped() {
        let end = PublishSubject<Void>()
        let source = Observable.from(0...).do(onNext: { if $0 == 2 { end.onNext(()) } })
        #expect(emitted(by: source.take(until: end)) == [.next(0), .next(1), .completed])
        #expect(emitted(by: Observable.from(0...).take(2).skip(until: Observable<Int>.never())) == [])
        let skipping = Observable.from(0...).skip(until: Observable.just(1)).take(2)
        #expect(emitted(by: skipping) == [.next(0), .next(1), .completed])
    }

    /// Events that the observer makes the sources emit are delivered afterwards, in order.
    @Test func reentrantEventsAreDeliveredInOrder() {
        let log = Cell<[Event<Int>]>([])
        let source = PublishSubject<Int>()
        let other = PublishSubject<Int>()
        _ = source.take(until: other).subscribe { event in
            if event.element == 1 {
                source.onNext(2)
                other.onNext(0)
                source.onNext(3)
            }
            log.append(event)
        }
        source.onNext(1)
        #expect(log.value == [.next(1), .next(2), .completed])
        #expect(!source.hasObservers && !other.hasObservers)
    }

    /// Many threads emit at once: events are delivered one at a time, with a single end.
    @Test func concurrentEventsAreSerialized() async {
        for _ in 0..<50 {
            let source = PublishSubject<Int>()
            let other = PublishSubject<Int>()
            let log = SerializedLog()
            let subscriptions = [
                source.take(until: other).map(log.pass).subscribe(log.take),
                source.skip(until: other).subscribe(log.skip),
            ]
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for element in 0..<100 { source.onNext(element) } }
                group.addTask { other.onNext(0) }
            }
            source.onCompleted()
            subscriptions.forEach { $0.dispose() }
            #expect(log.isOrdered)
        }
    }
}

/// The events of the two operators, each checked to be delivered one at a time.
private final class SerializedLog: Sendable {
    private let taken = Cell<[Event<Int>]>([])
    private let skipped = Cell<[Event<Int>]>([])
    private let passed = Cell(0)
    private let inside = Cell(0)
    private let overlaps = Cell(0)

    /// Sees what is delivered to the downstream operators, even if the observer does not receive it any more.
    func pass(_ element: Int) -> Int {
        passed.update { $0 += 1 }
        return element
    }

    func take(_ event: Event<Int>) { see(event, in: taken) }
    func skip(_ event: Event<Int>) { skipped.append(event) }

    private func see(_ event: Event<Int>, in log: Cell<[Event<Int>]>) {
        inside.update { $0 += 1 }
        if inside.value > 1 { overlaps.update { $0 += 1 } }
        log.append(event)
        inside.update { $0 -= 1 }
    }

    var isOrdered: Bool {
        let first = taken.value.compactMap(\.element)
        let last = skipped.value.compactMap(\.element)
        return overlaps.value == 0 && first.count == passed.value && first == Array(0..<first.count)
            && last == Array((100 - last.count)..<100)
            && taken.value.count { $0.isStopEvent } == 1 && skipped.value.last == .completed
    }
}
