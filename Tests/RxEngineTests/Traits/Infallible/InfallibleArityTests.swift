import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// `combineLatest` and `zip` of two to eight infallibles, with a closure and as tuples.
@Suite(.balanced) struct InfallibleArityTests {
    /// A closure that combines the first few of eight sources.
    typealias Combine = @Sendable ([Infallible<Int>]) -> Infallible<[Int]>

    static let latest: [Combine] = [
        { Infallible.combineLatest($0[0], $0[1]) { [$0, $1] } },
        { Infallible.combineLatest($0[0], $0[1], $0[2]) { [$0, $1, $2] } },
        { Infallible.combineLatest($0[0], $0[1], $0[2], $0[3]) { [$0, $1, $2, $3] } },
        { Infallible.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4]) { [$0, $1, $2, $3, $4] } },
        { Infallible.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]) { [$0, $1, $2, $3, $4, $5] } },
        { Infallible.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]) { [$0, $1, $2, $3, $4, $5, $6] } },
        {
            Infallible.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]) {
                [$0, $1, $2, $3, $4, $5, $6, $7]
            }
        },
    ]

    static let latestTuples: [Combine] = [
        { Infallible.combineLatest($0[0], $0[1]).map { [$0.0, $0.1] } },
        { Infallible.combineLatest($0[0], $0[1], $0[2]).map { [$0.0, $0.1, $0.2] } },
        { Infallible.combineLatest($0[0], $0[1], $0[2], $0[3]).map { [$0.0, $0.1, $0.2, $0.3] } },
        { Infallible.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] } },
        {
            Infallible.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]).map {
                [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5]
            }
        },
        {
            Infallible.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]).map {
                [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6]
            }
        },
        {
            Infallible.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).map {
                [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7]
            }
        },
    ]

    static let zips: [Combine] = [
        { Infallible.zip($0[0], $0[1]) { [$0, $1] } },
        { Infallible.zip($0[0], $0[1], $0[2]) { [$0, $1, $2] } },
        { Infallible.zip($0[0], $0[1], $0[2], $0[3]) { [$0, $1, $2, $3] } },
        { Infallible.zip($0[0], $0[1], $0[2], $0[3], $0[4]) { [$0, $1, $2, $3, $4] } },
        { Infallible.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]) { [$0, $1, $2, $3, $4, $5] } },
        { Infallible.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]) { [$0, $1, $2, $3, $4, $5, $6] } },
        {
            Infallible.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]) { [$0, $1, $2, $3, $4, $5, $6, $7] }
        },
    ]

    static let zipTuples: [Combine] = [
        { Infallible.zip($0[0], $0[1]).map { [$0.0, $0.1] } },
        { Infallible.zip($0[0], $0[1], $0[2]).map { [$0.0, $0.1, $0.2] } },
        { Infallible.zip($0[0], $0[1], $0[2], $0[3]).map { [$0.0, $0.1, $0.2, $0.3] } },
        { Infallible.zip($0[0], $0[1], $0[2], $0[3], $0[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] } },
        { Infallible.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] } },
        {
            Infallible.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]).map {
                [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6]
            }
        },
        {
            Infallible.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).map {
                [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7]
            }
        },
    ]

    /// Combines sources, of which each emits its number at 10 times that, the negative number 100 later, and completes
    /// then; the first one completes at `end`, if given.
    private func run(_ combine: @escaping Combine, arity: Int, end: Int? = nil) -> [Recorded<Event<[Int]>>] {
        let scheduler = TestScheduler(initialClock: 0)
        let sources = (1...8).map { number in
            let last = 100 + number * 10
            return scheduler.createColdObservable([
                .next(number * 10, number), .next(last, -number), .completed(number == 1 ? end ?? last : last),
            ])
        }
        let observer = scheduler.start {
            combine(sources.map { $0.asInfallible(onErrorJustReturn: 0) }).asObservable()
        }
        let left = (1...arity).map { Subscription(200, $0 == 1 ? end.map { 200 + $0 } ?? 310 : 300 + $0 * 10) }
        #expect(sources.prefix(arity).map(\.subscriptions) == left.map { [$0] })
        return observer.events
    }

    @Test(arguments: 2...8) func latestElements(arity: Int) {
        for combine in [Self.latest[arity - 2], Self.latestTuples[arity - 2]] {
            // From when all have an element on, each of the second elements takes the place of the first.
            var expected: [Recorded<Event<[Int]>>] = [.next(200 + arity * 10, Array(1...arity))]
            for number in 1...arity {
                expected.append(.next(300 + number * 10, (1...arity).map { $0 <= number ? -$0 : $0 }))
            }
            #expect(run(combine, arity: arity) == expected + [.completed(300 + arity * 10)])
            #expect(run(combine, arity: arity, end: 500) == expected + [.completed(700)])
        }
    }

    @Test(arguments: 2...8) func elementsWithSameIndexAreZipped(arity: Int) {
        for combine in [Self.zips[arity - 2], Self.zipTuples[arity - 2]] {
            let expected: [Recorded<Event<[Int]>>] = [
                .next(200 + arity * 10, Array(1...arity)), .next(300 + arity * 10, (1...arity).map { -$0 }),
            ]
            #expect(run(combine, arity: arity) == expected + [.completed(300 + arity * 10)])
            #expect(run(combine, arity: arity, end: 500) == expected + [.completed(700)])
        }
    }
}
