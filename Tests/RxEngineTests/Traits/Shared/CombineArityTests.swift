import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct CombineArityTests {
    private func events(_ source: @escaping @Sendable () -> Driver<[Int]>) -> [Recorded<Event<[Int]>>] {
        SharedOperatorsTests.virtually { scheduler in scheduler.start { source().asObservable() }.events }
    }

    @Test func combineLatestOfTwoToEight() {
        let sources: [@Sendable () -> Driver<[Int]>] = [
            { .combineLatest(d(1), d(2)) { [$0, $1] } },
            { .combineLatest(d(1), d(2), d(3)) { [$0, $1, $2] } },
            { .combineLatest(d(1), d(2), d(3), d(4)) { [$0, $1, $2, $3] } },
            { .combineLatest(d(1), d(2), d(3), d(4), d(5)) { [$0, $1, $2, $3, $4] } },
            { .combineLatest(d(1), d(2), d(3), d(4), d(5), d(6)) { [$0, $1, $2, $3, $4, $5] } },
            { .combineLatest(d(1), d(2), d(3), d(4), d(5), d(6), d(7)) { [$0, $1, $2, $3, $4, $5, $6] } },
            { .combineLatest(d(1), d(2), d(3), d(4), d(5), d(6), d(7), d(8)) { [$0, $1, $2, $3, $4, $5, $6, $7] } },
        ]
        let tuples: [@Sendable () -> Driver<[Int]>] = [
            { Driver.combineLatest(d(1), d(2)).map { [$0.0, $0.1] } },
            { Driver.combineLatest(d(1), d(2), d(3)).map { [$0.0, $0.1, $0.2] } },
            { Driver.combineLatest(d(1), d(2), d(3), d(4)).map { [$0.0, $0.1, $0.2, $0.3] } },
            { Driver.combineLatest(d(1), d(2), d(3), d(4), d(5)).map { [$0.0, $0.1, $0.2, $0.3, $0.4] } },
            { Driver.combineLatest(d(1), d(2), d(3), d(4), d(5), d(6)).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] } },
            {
                Driver.combineLatest(d(1), d(2), d(3), d(4), d(5), d(6), d(7))
                    .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6] }
            },
            {
                Driver.combineLatest(d(1), d(2), d(3), d(4), d(5), d(6), d(7), d(8))
                    .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7] }
            },
        ]
        for (index, (plain, tuple)) in zip(sources, tuples).enumerated() {
            let count = index + 2
            // One after the other, each except the first emits ten times its number.
            let expected = (1...count).map { changed in (1...count).map { $0 > 1 && $0 <= changed ? $0 * 10 : $0 } }
            for source in [plain, tuple] {
                let events = events(source)
                #expect(events.compactMap(\.value.element) == expected)
                #expect(events.last == .completed(200 + count))
            }
        }
    }

    @Test func zipOfTwoToEight() {
        let sources: [@Sendable () -> Driver<[Int]>] = [
            { .zip(d(2), d(3)) { [$0, $1] } },
            { .zip(d(2), d(3), d(4)) { [$0, $1, $2] } },
            { .zip(d(2), d(3), d(4), d(5)) { [$0, $1, $2, $3] } },
            { .zip(d(2), d(3), d(4), d(5), d(6)) { [$0, $1, $2, $3, $4] } },
            { .zip(d(2), d(3), d(4), d(5), d(6), d(7)) { [$0, $1, $2, $3, $4, $5] } },
            { .zip(d(2), d(3), d(4), d(5), d(6), d(7), d(8)) { [$0, $1, $2, $3, $4, $5, $6] } },
            { .zip(d(2), d(3), d(4), d(5), d(6), d(7), d(8), d(9)) { [$0, $1, $2, $3, $4, $5, $6, $7] } },
        ]
        let tuples: [@Sendable () -> Driver<[Int]>] = [
            { Driver.zip(d(2), d(3)).map { [$0.0, $0.1] } },
            { Driver.zip(d(2), d(3), d(4)).map { [$0.0, $0.1, $0.2] } },
            { Driver.zip(d(2), d(3), d(4), d(5)).map { [$0.0, $0.1, $0.2, $0.3] } },
            { Driver.zip(d(2), d(3), d(4), d(5), d(6)).map { [$0.0, $0.1, $0.2, $0.3, $0.4] } },
            { Driver.zip(d(2), d(3), d(4), d(5), d(6), d(7)).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] } },
            {
                Driver.zip(d(2), d(3), d(4), d(5), d(6), d(7), d(8))
                    .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6] }
            },
            {
                Driver.zip(d(2), d(3), d(4), d(5), d(6), d(7), d(8), d(9))
                    .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7] }
            },
        ]
        for (index, (plain, tuple)) in zip(sources, tuples).enumerated() {
            let numbers = Array(2...index + 3)
            for source in [plain, tuple] {
                let end = 200 + numbers[numbers.count - 1]
                #expect(
                    events(source) == [.next(200, numbers), .next(end, numbers.map { $0 * 10 }), .completed(end)]
                )
            }
        }
    }
}

/// A driver of `n` and, except for the first, of `n * 10` after `n` ticks.
private func d(_ n: Int) -> Driver<Int> {
    n == 1 ? .just(1) : .concat([.just(n), Driver.just(n * 10).delay(.seconds(n))])
}
