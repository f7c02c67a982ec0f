import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// The operators of the traits, in virtual time: what they emit and when, and when they subscribe to their source.
@Suite(.balanced) struct TraitOperatorTests {
    typealias Events = [Recorded<Event<Int>>]
    typealias Operation<Trait> = @Sendable (PrimitiveSequence<Trait, Int>, TestScheduler) -> Observable<Int>

    struct Rule<Trait>: Sendable, CustomTestStringConvertible {
        var name: String
        /// The source's events, from the subscription on.
        var source: Events
        var result: Events
        var runs: [Subscription]
        var operation: Operation<Trait>

        init(
            _ name: String, _ source: Events, _ result: Events, runs: [Subscription] = [Subscription(200, 210)],
            _ operation: @escaping Operation<Trait>
        ) {
            self.name = name
            self.source = source
            self.result = result
            self.runs = runs
            self.operation = operation
        }

        var testDescription: String { name }
    }

    static let error = TestError("e")
    static let one: Events = [.next(10, 1), .completed(10)]
    static let none: Events = [.completed(10)]
    static let failing: Events = [.error(10, error)]

    static let single: [Rule<SingleTrait>] = [
        Rule("map", one, [.next(210, 10), .completed(210)]) { source, _ in source.map { $0 * 10 }.asObservable() },
        Rule("map throws", one, [.error(210, error)]) { source, _ in
            source.map { _ -> Int in throw error }.asObservable()
        },
        Rule("map of an error", failing, [.error(210, error)]) { source, _ in source.map { $0 }.asObservable() },
        Rule("filter passes", one, [.next(210, 1), .completed(210)]) { source, _ in
            source.filter { $0 == 1 }.asObservable()
        },
        Rule("filter drops", one, [.completed(210)]) { source, _ in source.filter { $0 > 1 }.asObservable() },
        Rule("filter throws", one, [.error(210, error)]) { source, _ in
            source.filter { _ in throw error }.asObservable()
        },
        Rule("compactMap passes", one, [.next(210, 2), .completed(210)]) { source, _ in
            source.compactMap { $0 + 1 }.asObservable()
        },
        Rule("compactMap drops", one, [.completed(210)]) { source, _ in
            source.compactMap { _ -> Int? in nil }.asObservable()
        },
        Rule("flatMap", one, [.next(260, 0), .completed(260)]) { source, scheduler in
            source.flatMap { _ in Single<Int>.timer(.seconds(50), scheduler: scheduler) }.asObservable()
        },
        Rule("flatMap to an error", one, [.error(210, TestError("f"))]) { source, _ in
            source.flatMap { _ in Single<Int>.error(TestError("f")) }.asObservable()
        },
        Rule("flatMap throws", one, [.error(210, error)]) { source, _ in
            source.flatMap { _ -> Single<Int> in throw error }.asObservable()
        },
        Rule("flatMap of an error", failing, [.error(210, error)]) { source, _ in
            source.flatMap { Single.just($0) }.asObservable()
        },
        Rule("flatMapMaybe", one, [.next(210, 1), .completed(210)]) { source, _ in
            source.flatMapMaybe { Maybe.just($0) }.asObservable()
        },
        Rule("flatMapMaybe to none", one, [.completed(210)]) { source, _ in
            source.flatMapMaybe { _ in Maybe<Int>.empty() }.asObservable()
        },
        Rule("flatMapCompletable", one, [.next(210, -1), .completed(210)]) { source, _ in
            source.flatMapCompletable { _ in Completable.empty() }.andThen(Single.just(-1)).asObservable()
        },
        Rule("flatMapCompletable to an error", one, [.error(210, error)]) { source, _ in
            source.flatMapCompletable { _ in Completable.error(error) }.andThen(Single.just(-1)).asObservable()
        },
        Rule("catchAndReturn", failing, [.next(210, 7), .completed(210)]) { source, _ in
            source.catchAndReturn(7).asObservable()
        },
        Rule("catchAndReturn unused", one, [.next(210, 1), .completed(210)]) { source, _ in
            source.catchAndReturn(7).asObservable()
        },
        Rule("asMaybe", one, [.next(210, 1), .completed(210)]) { source, _ in source.asMaybe().asObservable() },
        Rule("asCompletable", one, [.next(210, -1), .completed(210)]) { source, _ in
            source.asCompletable().andThen(Single.just(-1)).asObservable()
        },
    ]

    static let maybe: [Rule<MaybeTrait>] = [
        Rule("filter passes", one, [.next(210, 1), .completed(210)]) { source, _ in
            source.filter { $0 == 1 }.asObservable()
        },
        Rule("filter drops", one, [.completed(210)]) { source, _ in source.filter { $0 > 1 }.asObservable() },
        Rule("map", one, [.next(210, 10), .completed(210)]) { source, _ in source.map { $0 * 10 }.asObservable() },
        Rule("map of none", none, [.completed(210)]) { source, _ in source.map { $0 * 10 }.asObservable() },
        Rule("compactMap drops", one, [.completed(210)]) { source, _ in
            source.compactMap { _ -> Int? in nil }.asObservable()
        },
        Rule("flatMap", one, [.next(260, 0), .completed(260)]) { source, scheduler in
            source.flatMap { _ in Maybe<Int>.timer(.seconds(50), scheduler: scheduler) }.asObservable()
        },
        Rule("flatMap of none", none, [.completed(210)]) { source, _ in
            source.flatMap { Maybe.just($0) }.asObservable()
        },
        Rule("flatMap to none", one, [.completed(210)]) { source, _ in
            source.flatMap { _ in Maybe<Int>.empty() }.asObservable()
        },
        Rule("ifEmpty(default:)", none, [.next(210, 7), .completed(210)]) { source, _ in
            source.ifEmpty(default: 7).asObservable()
        },
        Rule("ifEmpty(default:) unused", one, [.next(210, 1), .completed(210)]) { source, _ in
            source.ifEmpty(default: 7).asObservable()
        },
        Rule("ifEmpty(switchTo: Maybe)", none, [.next(260, 0), .completed(260)]) { source, scheduler in
            source.ifEmpty(switchTo: Maybe<Int>.timer(.seconds(50), scheduler: scheduler)).asObservable()
        },
        Rule("ifEmpty(switchTo: Single)", none, [.next(260, 0), .completed(260)]) { source, scheduler in
            source.ifEmpty(switchTo: Single<Int>.timer(.seconds(50), scheduler: scheduler)).asObservable()
        },
        Rule("retry(when:) whose notifications complete", failing, [.completed(210)]) { source, _ in
            source.retry(when: { (errors: Observable<any Error>) in errors.take(while: { _ in false }) }).asObservable()
        },
        Rule("ifEmpty of an error", failing, [.error(210, error)]) { source, _ in
            source.ifEmpty(switchTo: Maybe.just(7)).asObservable()
        },
        Rule("catchAndReturn", failing, [.next(210, 7), .completed(210)]) { source, _ in
            source.catchAndReturn(7).asObservable()
        },
    ]

    /// Operators of all traits, tested on a single.
    static let common: [Rule<SingleTrait>] = [
        Rule("delay", one, [.next(260, 1), .completed(261)]) { source, scheduler in
            source.delay(.seconds(50), scheduler: scheduler).asObservable()
        },
        Rule("delay of an error", failing, [.error(210, error)]) { source, scheduler in
            source.delay(.seconds(50), scheduler: scheduler).asObservable()
        },
        Rule("delaySubscription", one, [.next(260, 1), .completed(260)], runs: [Subscription(250, 260)]) {
            source, scheduler in source.delaySubscription(.seconds(50), scheduler: scheduler).asObservable()
        },
        Rule("observe(on:)", one, [.next(211, 1), .completed(212)]) { source, scheduler in
            source.observe(on: scheduler).asObservable()
        },
        Rule("subscribe(on:)", one, [.next(211, 1), .completed(211)], runs: [Subscription(201, 211)]) {
            source, scheduler in source.subscribe(on: scheduler).asObservable()
        },
        Rule("catch", failing, [.next(210, 7), .completed(210)]) { source, _ in
            source.catch { _ in .just(7) }.asObservable()
        },
        Rule("catch unused", one, [.next(210, 1), .completed(210)]) { source, _ in
            source.catch { _ in .just(7) }.asObservable()
        },
        Rule("catch throws", failing, [.error(210, TestError("f"))]) { source, _ in
            source.catch { _ in throw TestError("f") }.asObservable()
        },
        Rule(
            "retry", failing, [.error(230, error)],
            runs: [Subscription(200, 210), Subscription(210, 220), Subscription(220, 230)]
        ) { source, _ in source.retry(3).asObservable() },
        Rule(
            "retry(when:)", failing, [.error(220, error)], runs: [Subscription(200, 210), Subscription(210, 220)]
        ) { source, _ in
            source.retry(when: { (errors: Observable<any Error>) in
                errors.scan(0) { count, error in
                    if count == 1 { throw error }
                    return count + 1
                }
            }).asObservable()
        },
        Rule("retry(when:) whose notifications complete", failing, [.error(210, RxError.noElements)]) { source, _ in
            source.retry(when: { (errors: Observable<any Error>) in errors.take(while: { _ in false }) }).asObservable()
        },
        Rule("retry(when:) of one type whose notifications complete", failing, [.error(210, RxError.noElements)]) {
            source, _ in
            source.retry(when: { (errors: Observable<TestError>) in errors.take(while: { _ in false }) }).asObservable()
        },
        Rule("retry(when:) of another error", failing, [.error(210, error)]) { source, _ in
            source.retry(when: { (errors: Observable<RxError>) in errors.map { _ in } }).asObservable()
        },
        Rule("timeout", one, [.next(210, 1), .completed(210)]) { source, scheduler in
            source.timeout(.seconds(50), scheduler: scheduler).asObservable()
        },
        Rule("timeout too late", one, [.error(205, RxError.timeout)], runs: [Subscription(200, 205)]) {
            source, scheduler in source.timeout(.seconds(5), scheduler: scheduler).asObservable()
        },
        Rule("timeout(other:)", one, [.next(205, 7), .completed(205)], runs: [Subscription(200, 205)]) {
            source, scheduler in source.timeout(.seconds(5), other: .just(7), scheduler: scheduler).asObservable()
        },
        Rule("deferred", one, [.next(210, 1), .completed(210)]) { source, _ in
            Single.deferred { source }.asObservable()
        },
        Rule("deferred throws", one, [.error(200, error)], runs: []) { _, _ in
            Single.deferred { throw error }.asObservable()
        },
        Rule("using", one, [.next(210, 1), .completed(210)]) { source, _ in
            Single.using({ BooleanDisposable() }, primitiveSequenceFactory: { _ in source }).asObservable()
        },
        Rule("timer", one, [.next(250, 0), .completed(250)], runs: []) { _, scheduler in
            Single<Int>.timer(.seconds(50), scheduler: scheduler).asObservable()
        },
        Rule("debug", one, [.next(210, 1), .completed(210)]) { source, _ in
            source.debug("a single", trimOutput: true).asObservable()
        },
    ]

    private func check<Trait>(
        _ rule: Rule<Trait>, _ trait: @escaping @Sendable (Observable<Int>) -> PrimitiveSequence<Trait, Int>
    ) {
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable(rule.source)
        let observer = scheduler.start { rule.operation(trait(cold.asObservable()), scheduler) }
        #expect(observer.events == rule.result)
        #expect(cold.subscriptions == rule.runs)
    }

    @Test(arguments: single) func operatorsOfSingle(rule: Rule<SingleTrait>) {
        check(rule) { $0.asSingle() }
    }

    @Test(arguments: maybe) func operatorsOfMaybe(rule: Rule<MaybeTrait>) {
        check(rule) { $0.asMaybe() }
    }

    @Test(arguments: common) func operatorsOfAllTraits(rule: Rule<SingleTrait>) {
        check(rule) { $0.asSingle() }
    }

    @Test func disposeUnsubscribesFromSource() {
        let operations: [Operation<SingleTrait>] = (Self.single + Self.common)
            .filter { !["delaySubscription", "subscribe(on:)", "deferred throws", "timer"].contains($0.name) }
            .map(\.operation)
        for operation in operations {
            let scheduler = TestScheduler(initialClock: 0)
            let cold = scheduler.createColdObservable(Self.one)
            let observer = scheduler.start(disposed: 203) { operation(cold.asSingle(), scheduler) }
            #expect(observer.events == [])
            #expect(cold.subscriptions == [Subscription(200, 203)])
        }
    }

    @Test func resourceLivesAsLongAsRun() {
        let log = Cell<[String]>([])
        func run(_ source: Single<Int>, making error: TestError? = nil) -> any Disposable {
            Single.using(
                {
                    if let error { throw error }
                    log.append("made")
                    return BooleanDisposable()
                },
                primitiveSequenceFactory: { resource in
                    source.do(onDispose: {
                        log.append("source disposed, resource \(resource.isDisposed ? "gone" : "there")")
                    })
                }
            ).subscribe(
                onSuccess: { log.append("received \($0)") }, onFailure: { log.append("received \($0)") },
                onDisposed: { log.append("disposed") })
        }
        run(.just(1)).dispose()
        #expect(log.value.prefix(2) == ["made", "received 1"])
        #expect(log.value.last == "disposed")
        log.update { $0 = [] }
        run(.just(1), making: TestError("unmade")).dispose()
        #expect(log.value == ["received unmade", "disposed"])
    }
}
