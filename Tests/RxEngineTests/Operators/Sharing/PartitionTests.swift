import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct PartitionTests {
    @Test func elementsGoToOneOfTwoSequencesWithOneSubscription() {
        let subject = PublishSubject<Int>()
        let log = Cell<[String]>([])
        let calls = Cell(0)
        let subscribed = Cell(0)
        let (even, odd) = subject.do(onSubscribe: { subscribed.update { $0 += 1 } }).partition { value in
            calls.update { $0 += 1 }
            return value % 2 == 0
        }
        let subscriptions = [
            even.subscribe(onNext: { log.append("even \($0)") }, onCompleted: { log.append("even completed") }),
            odd.subscribe(onNext: { log.append("odd \($0)") }, onCompleted: { log.append("odd completed") }),
        ]
        for value in 1...3 { subject.onNext(value) }
        subject.onCompleted()
        #expect(log.value == ["odd 1", "even 2", "odd 3", "even completed", "odd completed"])
        #expect(calls.value == 3 && subscribed.value == 1)
        for subscription in subscriptions { subscription.dispose() }
    }

    /// The source is left when both have left it, and a part that subscribes later receives what follows.
    @Test func sourceIsDisposedWithLastPartition() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable((1...6).map { .next(200 + $0 * 10, $0) })
        let (even, odd) = source.asObservable().partition { $0 % 2 == 0 }
        let observers = [even, odd].map { _ in scheduler.createObserver(Int.self) }
        let subscriptions = zip([even, odd], observers).map { part, observer in
            let subscription = SerialDisposable()
            let start = observer === observers.first ? 200 : 210
            scheduler.scheduleAt(start) { subscription.disposable = part.subscribe(observer) }
            scheduler.scheduleAt(start + 20) { subscription.dispose() }
            return subscription
        }
        scheduler.start()
        #expect(observers.first?.events == [.next(220, 2)] && observers.last?.events == [.next(230, 3)])
        #expect(source.subscriptions == [Subscription(200, 230)] && subscriptions.count == 2)
    }

    @Test func errorOfSourceEndsBoth() {
        let subject = PublishSubject<Int>()
        let log = Cell<[String]>([])
        let (even, odd) = subject.partition { $0 % 2 == 0 }
        let subscriptions = [even, odd].map { $0.subscribe(onError: { log.append("\($0)") }) }
        subject.onError(TestError("x"))
        #expect(log.value == ["x", "x"] && !subject.hasObservers)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func errorOfClosureEndsBoth() {
        let subject = PublishSubject<Int>()
        let log = Cell<[String]>([])
        let (one, other) = subject.partition { _ in throw TestError("x") }
        let subscriptions = [one, other].map { $0.subscribe(onError: { log.append("\($0)") }) }
        subject.onNext(1)
        #expect(log.value == ["x", "x"])
        for subscription in subscriptions { subscription.dispose() }
    }
}
