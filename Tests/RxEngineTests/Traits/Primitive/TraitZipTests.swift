import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// `zip` of two to eight singles or maybes, with a closure and as tuples, and of a collection.
@Suite(.balanced) struct TraitZipTests {
    typealias Events = [Recorded<Event<[Int]>>]
    /// A closure that zips the first few of eight sources.
    typealias Zip<Trait> = @Sendable ([PrimitiveSequence<Trait, Int>]) -> Observable<[Int]>

    static let singles: [Zip<SingleTrait>] = [
        { Single.zip($0[0], $0[1]) { [$0, $1] }.asObservable() },
        { Single.zip($0[0], $0[1], $0[2]) { [$0, $1, $2] }.asObservable() },
        { Single.zip($0[0], $0[1], $0[2], $0[3]) { [$0, $1, $2, $3] }.asObservable() },
        { Single.zip($0[0], $0[1], $0[2], $0[3], $0[4]) { [$0, $1, $2, $3, $4] }.asObservable() },
        { Single.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]) { [$0, $1, $2, $3, $4, $5] }.asObservable() },
        {
            Single.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]) { [$0, $1, $2, $3, $4, $5, $6] }
                .asObservable()
        },
        {
            Single.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]) { [$0, $1, $2, $3, $4, $5, $6, $7] }
                .asObservable()
        },
    ]

    static let singleTuples: [Zip<SingleTrait>] = [
        { Single.zip($0[0], $0[1]).map { [$0.0, $0.1] }.asObservable() },
        { Single.zip($0[0], $0[1], $0[2]).map { [$0.0, $0.1, $0.2] }.asObservable() },
        { Single.zip($0[0], $0[1], $0[2], $0[3]).map { [$0.0, $0.1, $0.2, $0.3] }.asObservable() },
        { Single.zip($0[0], $0[1], $0[2], $0[3], $0[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] }.asObservable() },
        {
            Single.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] }
                .asObservable()
        },
        {
            Single.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6])
                .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6] }.asObservable()
        },
        {
            Single.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7])
                .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7] }.asObservable()
        },
    ]

    static let maybes: [Zip<MaybeTrait>] = [
        { Maybe.zip($0[0], $0[1]) { [$0, $1] }.asObservable() },
        { Maybe.zip($0[0], $0[1], $0[2]) { [$0, $1, $2] }.asObservable() },
        { Maybe.zip($0[0], $0[1], $0[2], $0[3]) { [$0, $1, $2, $3] }.asObservable() },
        { Maybe.zip($0[0], $0[1], $0[2], $0[3], $0[4]) { [$0, $1, $2, $3, $4] }.asObservable() },
        { Maybe.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]) { [$0, $1, $2, $3, $4, $5] }.asObservable() },
        {
            Maybe.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]) { [$0, $1, $2, $3, $4, $5, $6] }
                .asObservable()
        },
        {
            Maybe.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]) { [$0, $1, $2, $3, $4, $5, $6, $7] }
                .asObservable()
        },
    ]

    static let maybeTuples: [Zip<MaybeTrait>] = [
        { Maybe.zip($0[0], $0[1]).map { [$0.0, $0.1] }.asObservable() },
        { Maybe.zip($0[0], $0[1], $0[2]).map { [$0.0, $0.1, $0.2] }.asObservable() },
        { Maybe.zip($0[0], $0[1], $0[2], $0[3]).map { [$0.0, $0.1, $0.2, $0.3] }.asObservable() },
        { Maybe.zip($0[0], $0[1], $0[2], $0[3], $0[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] }.asObservable() },
        {
            Maybe.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] }
                .asObservable()
        },
        {
            Maybe.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6])
                .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6] }.asObservable()
        },
        {
            Maybe.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7])
                .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7] }.asObservable()
        },
    ]

    /// Zips the first `arity` of eight sources: the one at `odd` has `events`, each other one emits its number at 10
    /// times its number.
    private func run<Trait>(
        _ zip: @escaping Zip<Trait>, arity: Int, odd: Int? = nil, with events: [Recorded<Event<Int>>] = [],
        _ trait: @escaping @Sendable (Observable<Int>) -> PrimitiveSequence<Trait, Int>
    ) -> (Events, [[Subscription]]) {
        let scheduler = TestScheduler(initialClock: 0)
        let sources = (1...8).map { number in
            scheduler.createColdObservable(
                number - 1 == odd ? events : [.next(number * 10, number), .completed(number * 10)])
        }
        let observer = scheduler.start { zip(sources.map { trait($0.asObservable()) }) }
        return (observer.events, sources.prefix(arity).map(\.subscriptions))
    }

    private func check<Trait>(
        _ zip: @escaping Zip<Trait>, arity: Int,
        _ trait: @escaping @Sendable (Observable<Int>) -> PrimitiveSequence<Trait, Int>
    ) {
        let all = run(zip, arity: arity, trait)
        let end = 200 + arity * 10
        #expect(all.0 == [.next(end, Array(1...arity)), .completed(end)])
        #expect(all.1 == (1...arity).map { [Subscription(200, 200 + $0 * 10)] })
        for odd in 0..<arity {
            let failing = run(zip, arity: arity, odd: odd, with: [.error(5, TestError("e"))], trait)
            #expect(failing.0 == [.error(205, TestError("e"))])
            #expect(failing.1 == (1...arity).map { _ in [Subscription(200, 205)] })
            let waiting = run(zip, arity: arity, odd: odd, with: [], trait)
            #expect(waiting.0 == [])
            #expect(waiting.1[odd] == [Subscription(200, 1000)])
        }
    }

    @Test(arguments: 2...8) func singlesAreZipped(arity: Int) {
        check(Self.singles[arity - 2], arity: arity) { $0.asSingle() }
        check(Self.singleTuples[arity - 2], arity: arity) { $0.asSingle() }
        check({ Single.zip($0.prefix(arity)).asObservable() }, arity: arity) { $0.asSingle() }
        check({ Single.zip($0.prefix(arity)) { $0 }.asObservable() }, arity: arity) { $0.asSingle() }
    }

    @Test(arguments: 2...8) func maybesAreZipped(arity: Int) {
        check(Self.maybes[arity - 2], arity: arity) { $0.asMaybe() }
        check(Self.maybeTuples[arity - 2], arity: arity) { $0.asMaybe() }
        for zip in [Self.maybes[arity - 2], Self.maybeTuples[arity - 2]] {
            for odd in 0..<arity {
                let withoutOne = run(zip, arity: arity, odd: odd, with: [.completed(5)]) { $0.asMaybe() }
                // It completes when all have.
                let last = odd == arity - 1 ? arity - 1 : arity
                #expect(withoutOne.0 == [.completed(200 + last * 10)])
            }
        }
    }

    @Test func errorOfClosureIsDelivered() {
        let log = Cell<[String]>([])
        let (one, two) = (Single.just(1), Single.just(2))
        _ = Single.zip(one, two) { _, _ -> Int in throw TestError("thrown") }.subscribe { log.append("\($0)") }
        _ = Single.zip([one, two]) { _ -> Int in throw TestError("thrown") }.subscribe { log.append("\($0)") }
        _ = Maybe.zip(one.asMaybe(), two.asMaybe()) { _, _ -> Int in throw TestError("thrown") }
            .subscribe { log.append("\($0)") }
        #expect(log.value == ["failure(thrown)", "failure(thrown)", "error(thrown)"])
    }

    @Test func emptyCollectionCallsClosure() {
        let log = Cell<[String]>([])
        _ = Single.zip([] as [Single<Int>]).subscribe { log.append("\($0)") }
        _ = Single.zip([] as [Single<Int>]) { $0.count }.subscribe { log.append("\($0)") }
        _ = Single.zip([] as [Single<Int>]) { _ -> Int in throw TestError("e") }.subscribe { log.append("\($0)") }
        #expect(log.value == ["success([])", "success(0)", "failure(e)"])
    }
}
