import RxEngine
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
