import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of how a single is made and what its observers receive.
@Suite(.balanced) struct SingleTests {
    private func outcomes(_ source: Single<Int>) -> [String] {
        let log = Cell<[String]>([])
        _ = source.subscribe { log.append("\($0)") }
        return log.value
    }

    static let given: [([SingleEvent<Int>], [Event<Int>])] = [
        ([.success(1)], [.next(1), .completed]),
        ([.failure(TestError("e"))], [.error(TestError("e"))]),
        ([.success(1), .success(2)], [.next(1), .completed]),
        ([.success(1), .failure(TestError("e"))], [.next(1), .completed]),
        ([.failure(TestError("e")), .success(1)], [.error(TestError("e"))]),
        ([.failure(TestError("e")), .failure(TestError("f"))], [.error(TestError("e"))]),
        ([], []),
    ]

    @Test(arguments: given) func onlyFirstEventCounts(given: [SingleEvent<Int>], expected: [Event<Int>]) {
        let single = Single<Int>.create { observer in
            for event in given { observer(event) }
            return Disposables.create()
        }
        let log = Cell<[Event<Int>]>([])
        let subscription = single.asObservable().subscribe { log.append($0) }
        #expect(log.value == expected)
        subscription.dispose()
    }

    @Test func reentrantEventIsIgnored() {
        let observers = Cell<[@Sendable (SingleEvent<Int>) -> Void]>([])
        let log = Cell<[Event<Int>]>([])
        let subscription = Single<Int>.create { observer in
            observers.append(observer)
            return Disposables.create()
        }.asObservable().subscribe { event in
            log.append(event)
            observers.value.first?(.success(2))
        }
        observers.value.first?(.success(1))
        #expect(log.value == [.next(1), .completed])
        observers.update { $0 = [] }
        subscription.dispose()
    }

    @Test func eventAfterDisposeIsIgnored() {
        let observers = Cell<[@Sendable (SingleEvent<Int>) -> Void]>([])
        let log = Cell<[String]>([])
        let subscription = Single<Int>.create { observer in
            observers.append(observer)
            return Disposables.create { log.append("freed") }
        }.subscribe(
            onSuccess: { log.append("\($0)") }, onFailure: { log.append("\($0)") },
            onDisposed: { log.append("disposed") })
        subscription.dispose()
        observers.value.first?(.success(1))
        observers.value.first?(.failure(TestError("e")))
        #expect(log.value == ["freed", "disposed"])
        observers.update { $0 = [] }
    }

    @Test func disposingInsideHandlerReleasesOnce() {
        let log = Cell<[String]>([])
        let handle = SerialDisposable()
        let observers = Cell<[@Sendable (SingleEvent<Int>) -> Void]>([])
        handle.disposable = Single<Int>.create { observer in
            observers.append(observer)
            return Disposables.create { log.append("freed") }
        }.subscribe(
            onSuccess: {
                log.append("\($0)")
                handle.dispose()
            }, onDisposed: { log.append("disposed") })
        observers.value.first?(.success(1))
        #expect(log.value == ["1", "freed", "disposed"])
        observers.update { $0 = [] }
    }

    @Test func closuresRunInOrder() {
        let log = Cell<[String]>([])
        func single(_ event: SingleEvent<Int>) -> Single<Int> {
            .create { observer in
                observer(event)
                return Disposables.create { log.append("freed") }
            }
        }
        for event in [.success(1), .failure(TestError("e"))] as [SingleEvent<Int>] {
            _ = single(event).subscribe(
                onSuccess: { log.append("success \($0)") }, onFailure: { log.append("failure \($0)") },
                onDisposed: { log.append("disposed") })
        }
        #expect(log.value == ["success 1", "freed", "disposed", "failure e", "freed", "disposed"])
    }

    @Test func factories() {
        #expect(outcomes(.just(1)) == ["success(1)"])
        #expect(outcomes(.error(TestError("e"))) == ["failure(e)"])
        #expect(outcomes(.never()) == [])
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start { Single.just(1, scheduler: scheduler).asObservable() }
        #expect(observer.events == [.next(201, 1), .completed(202)])
    }

    @Test func elementIsDeliveredAtOnce() {
        let scheduler = TestScheduler(initialClock: 0)
        let log = Cell<[String]>([])
        _ = Single.just(1, scheduler: scheduler).subscribe(
            onSuccess: { log.append("\($0) at \(scheduler.clock)") },
            onDisposed: { log.append("disposed at \(scheduler.clock)") })
        scheduler.start()
        #expect(log.value == ["1 at 1", "disposed at 2"])
    }

    @Test func closuresWithObjectRunWhileItLives() {
        final class Target: Sendable {}
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        var target: Target? = Target()
        for _ in 0..<2 {
            if let target {
                _ = subject.asSingle().subscribe(
                    with: target, onSuccess: { _, value in log.append("success \(value)") },
                    onFailure: { _, error in log.append("failure \(error)") },
                    onDisposed: { _ in log.append("disposed") })
            }
            subject.onNext(1)
        }
        subject.onCompleted()
        #expect(log.value == ["failure \(RxError.moreThanOneElement)", "disposed", "success 1", "disposed"])
        log.update { $0 = [] }
        let other = PublishSubject<Int>()
        if let target {
            _ = other.asSingle().subscribe(
                with: target, onSuccess: { _, _ in log.append("success") },
                onFailure: { _, _ in log.append("failure") }, onDisposed: { _ in log.append("disposed") })
        }
        target = nil
        other.onError(TestError("e"))
        #expect(log.value == [])
    }

    @Test func sideEffects() {
        let log = Cell<[String]>([])
        func single(_ source: Single<Int>) -> Single<Int> {
            source.do(
                onSuccess: { log.append("on \($0)") }, afterSuccess: { log.append("after \($0)") },
                onError: { log.append("on \($0)") }, afterError: { log.append("after \($0)") },
                onSubscribe: { log.append("subscribe") }, onSubscribed: { log.append("subscribed") },
                onDispose: { log.append("dispose") })
        }
        _ = single(.just(1)).subscribe(onSuccess: { log.append("received \($0)") })
        #expect(log.value == ["subscribe", "on 1", "received 1", "after 1", "subscribed", "dispose"])
        log.update { $0 = [] }
        _ = single(.error(TestError("e"))).subscribe(onFailure: { log.append("received \($0)") })
        #expect(log.value == ["subscribe", "on e", "received e", "after e", "subscribed", "dispose"])
        #expect(outcomes(Single.just(1).do(onSuccess: { _ in throw TestError("thrown") })) == ["failure(thrown)"])
    }

    @Test func longRecursionThroughFlatMapKeepsStackBounded() {
        @Sendable func countdown(_ number: Int) -> Single<Int> {
            Single.just(number).flatMap { $0 == 0 ? .just(-1) : countdown($0 - 1) }
        }
        #expect(outcomes(countdown(100_000)) == ["success(-1)"])
    }

    @Test func longChainKeepsStackBounded() {
        onSmallStack {
            var single = Single.just(0)
            for _ in 0..<100_000 { single = single.flatMap { .just($0 + 1) } }
            #expect(outcomes(single) == ["success(100000)"])
            var mixed = Single.just(0)
            for _ in 0..<50_000 {
                mixed = mixed.flatMap { number in Single.just("\(number)").flatMap { .just((Int($0) ?? 0) + 1) } }
            }
            #expect(outcomes(mixed) == ["success(50000)"])
        }
    }

    @Test func chainOfManyTypes() {
        let scheduler = TestScheduler(initialClock: 0)
        @Sendable func later<Element>(_ element: Element) -> Single<Element> {
            Single.just(element).delaySubscription(.seconds(10), scheduler: scheduler)
        }
        let steps = later(1).flatMap { later("\($0)1") }.flatMap { text in later(text.count).flatMap { later([$0]) } }
        let observer = scheduler.start { steps.flatMapMaybe { .just($0.count) }.asObservable() }
        #expect(observer.events == [.next(240, 1), .completed(240)])
        let failing = Single.just(1).flatMap { _ -> Single<String> in throw TestError("e") }.flatMap { .just($0.count) }
        #expect(outcomes(failing) == ["failure(e)"])
        let empty = Single.just(1).flatMapMaybe { _ in Maybe<Int>.empty() }.flatMap { Maybe.just("\($0)") }
        #expect(emitted(by: empty.asObservable()) == [.completed])
    }

    /// A single that fails after its element, and is retried.
    @Test func secondElementIsNotMapped() {
        let source = Single.just(1).do(afterSuccess: { _ in throw TestError("e") }).retry(2)
        let steps = source.flatMap { .just($0 + 1) }.flatMap { .just("\($0)") }
        #expect(emitted(by: steps.asObservable()) == [.next("2"), .error(TestError("e"))])
    }

    @Test func flatMapContinuesRunWithNextSingle() {
        let scheduler = TestScheduler(initialClock: 0)
        let counts = Cell<[Int]>([])
        @Sendable func countdown(_ number: Int) -> Single<Int> {
            Single<Int>.timer(.seconds(1), scheduler: scheduler).flatMap { _ in
                counts.append(Resources.count(of: .subscription))
                return number == 0 ? .just(-1) : countdown(number - 1)
            }
        }
        let observer = scheduler.start { countdown(100).asObservable() }
        #expect(observer.events == [.next(301, -1), .completed(301)])
        #expect(Set(counts.value.dropFirst()).count == 1)
    }

    @Test func doOnObservableReceivesElementAndEnd() {
        let log = Cell<[String]>([])
        let source = Single.just(1).asMaybe().do(
            onNext: { log.append("next \($0)") }, onCompleted: { log.append("completed") })
        _ = source.subscribe(onSuccess: { log.append("received \($0)") })
        #expect(log.value == ["next 1", "received 1", "completed"])
    }
}
