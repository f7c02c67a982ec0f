import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct PublishSubjectTests {
    @Test func subscribersReceiveLaterElements() {
        let scheduler = TestScheduler(initialClock: 0)
        let subject = PublishSubject<Int>()
        let first = scheduler.createObserver(Int.self)
        let second = scheduler.createObserver(Int.self)
        for (time, value) in [(100, 1), (200, 2), (300, 3), (400, 4)] {
            scheduler.scheduleAt(time) { subject.onNext(value) }
        }
        scheduler.scheduleAt(150) { _ = subject.subscribe(first) }
        scheduler.scheduleAt(250) { _ = subject.subscribe(second) }
        scheduler.scheduleAt(350) { subject.onCompleted() }
        scheduler.start()
        #expect(first.events == [.next(200, 2), .next(300, 3), .completed(350)])
        #expect(second.events == [.next(300, 3), .completed(350)])
    }

    static let ends: [Event<Int>] = [.completed, .error(TestError("e"))]

    @Test(arguments: ends) func subscriberAfterEndReceivesEnd(end: Event<Int>) {
        let log = Cell<[Event<Int>]>([])
        let subject = PublishSubject<Int>()
        subject.on(end)
        subject.onNext(1)
        subject.onCompleted()
        _ = subject.subscribe { log.append($0) }
        #expect(log.value == [end])
        #expect(!subject.hasObservers)
    }

    @Test func disposedSubjectFailsSubscribers() {
        let log = Cell<[Event<Int>]>([])
        let subject = PublishSubject<Int>()
        _ = subject.subscribe { log.append($0) }
        subject.dispose()
        subject.onNext(1)
        subject.onCompleted()
        #expect(subject.isDisposed)
        #expect(!subject.hasObservers)
        #expect(log.value == [])
        _ = subject.subscribe { log.append($0) }
        #expect(log.value.first?.error is RxError)
    }

    @Test func subscribersMayChangeDuringDelivery() {
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let second = SerialDisposable()
        let third = SerialDisposable()
        let first = subject.subscribe(onNext: {
            log.append("first \($0)")
            second.dispose()
            if $0 == 1 { third.disposable = subject.subscribe(onNext: { log.append("third \($0)") }) }
        })
        second.disposable = subject.subscribe(onNext: { log.append("second \($0)") })
        subject.onNext(1)
        subject.onNext(2)
        #expect(log.value == ["first 1", "first 2", "third 2"])
        first.dispose()
        third.dispose()
        #expect(!subject.hasObservers)
    }

    @Test func reentrantEmissionIsAllowed() {
        let log = Cell<[Int]>([])
        let subject = PublishSubject<Int>()
        let subscription = subject.subscribe(onNext: {
            log.append($0)
            if $0 < 3 { subject.onNext($0 + 1) }
        })
        subject.asObserver().onNext(1)
        #expect(log.value == [1, 2, 3])
        subscription.dispose()
    }

    @Test func subscriptionDoesNotRetainSubject() {
        weak var held: PublishSubject<Int>?
        let subscription: any Disposable
        do {
            let subject = PublishSubject<Int>()
            held = subject
            subscription = subject.subscribe(onNext: { _ in })
        }
        #expect(held == nil)
        subscription.dispose()
    }

    @Test func concurrentSubscribeAndUnsubscribe() async {
        let subject = PublishSubject<Int>()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for value in 0..<2000 { subject.onNext(value) } }
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 {
                        subject.map { $0 + 1 }.subscribe(onNext: { _ in }).dispose()
                    }
                }
            }
        }
        #expect(!subject.hasObservers)
    }

    /// An error that uses its subject when it is released.
    private final class ReentrantError: Error, Sendable {
        let subject: Cell<PublishSubject<Int>?>

        init(_ subject: Cell<PublishSubject<Int>?>) {
            self.subject = subject
        }

        deinit {
            _ = subject.value?.hasObservers
        }
    }

    @Test func errorIsReleasedOutsideLock() {
        let subject = PublishSubject<Int>()
        let box = Cell<PublishSubject<Int>?>(subject)
        subject.onError(ReentrantError(box))
        subject.dispose()
        #expect(subject.isDisposed)
        box.update { $0 = nil }
    }

    @Test func subscribersMayUnsubscribeInAnyOrder() {
        let subject = PublishSubject<Int>()
        let seen = Cell<[Int]>([])
        let subscriptions = (0..<1000).map { number in subject.subscribe(onNext: { _ in seen.append(number) }) }
        for index in stride(from: 0, to: 1000, by: 2) { subscriptions[index].dispose() }
        subject.onNext(0)
        #expect(seen.value == stride(from: 1, to: 1000, by: 2).map { $0 })
        subscriptions.reversed().forEach { $0.dispose() }
        #expect(!subject.hasObservers)
    }

    /// An object whose release is observed.
    private final class Token: Sendable {}

    @Test(arguments: 0...2) func subscriberDisposedDuringDeliveryIsReleasedAtOnce(others: Int) {
        let subject = PublishSubject<Int>()
        let held = Cell(0)
        let keep = (0..<others).map { _ in subject.subscribe(onNext: { _ in }) }
        let subscription = subject.subscribe(onNext: { value in
            guard value == 0 else { return }
            for _ in 0..<10 {
                weak var seen: Token?
                do {
                    let token = Token()
                    seen = token
                    let inner = subject.subscribe(onNext: { [token] _ in _ = token })
                    subject.onNext(1)
                    inner.dispose()
                }
                if seen != nil { held.update { $0 += 1 } }
            }
        })
        subject.onNext(0)
        #expect(held.value == 0)
        subscription.dispose()
        keep.forEach { $0.dispose() }
        #expect(!subject.hasObservers)
    }

    /// A subscriber that is released during its own call, by itself or by another thread, is retained until the call
    /// returns.
    @Test(arguments: [false, true]) func subscriberIsRetainedDuringItsCall(ends: Bool) {
        let subject = PublishSubject<Int>()
        let seen = Cell<[String]>([])
        let subscription = SerialDisposable()
        do {
            let token = Token()
            subscription.disposable = subject.map { value in
                subscription.disposable = Disposables.create()
                if ends { subject.onCompleted() }
                inParallel(2) { _ in subject.subscribe().dispose() }
                seen.append("\(type(of: token)) \(value)")
                return value
            }.subscribe(onNext: { seen.append("received \($0)") })
        }
        subject.onNext(1)
        subject.onNext(2)
        #expect(seen.value == ["Token 1"])
        #expect(!subject.hasObservers)
    }

    /// Subscribers subscribe and unsubscribe, nested and on other threads, while two threads emit.
    @Test func concurrentReleaseOfSubscribers() {
        let subject = PublishSubject<Token>()
        inParallel(4) { thread in
            for number in 0..<1500 {
                if thread < 2 {
                    subject.onNext(Token())
                } else {
                    let inner = SerialDisposable()
                    let outer = subject.map { $0 }.subscribe(onNext: { token in
                        if number % 3 == 0 { inner.disposable = subject.subscribe(onNext: { _ in _ = token }) }
                    })
                    for _ in 0..<number % 50 {}
                    outer.dispose()
                    inner.dispose()
                }
            }
        }
        #expect(!subject.hasObservers)
    }
}
