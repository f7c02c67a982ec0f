import Dispatch
import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Deep nests and recursion.
extension ConcatTests {
    static let depth = 100_000

    static let nests: [(String, @Sendable (Int) -> Observable<Int>)] = [
        (
            "to the right",
            { count in
                var chain = Observable.just(0)
                for number in 1..<count { chain = Observable.just(number).concat(chain) }
                return chain
            }
        ),
        (
            "to the left",
            { count in
                var chain = Observable.just(0)
                for number in 1..<count { chain = chain.concat(Observable.just(number)) }
                return chain
            }
        ),
        (
            "in arrays",
            { count in
                var chain = Observable.just(0)
                for number in 1..<count { chain = .concat(.just(number), chain) }
                return chain
            }
        ),
        (
            "trampolined",
            { count in
                var chain = Observable.of(0)
                for number in 1..<count { chain = Observable.of(number).concat(chain) }
                return chain
            }
        ),
        ("a sequence", { .concat((0..<$0).lazy.map { .just($0) }) }),
    ]

    @Test(arguments: nests) func deepNestTakesNoStack(name: String, nest: @escaping @Sendable (Int) -> Observable<Int>)
    {
        onSmallStack {
            let (count, sum) = (Cell(0), Cell(0))
            let ends = Cell(0)
            let chain = nest(Self.depth)
            _ = chain.subscribe(
                onNext: { value in
                    count.update { $0 += 1 }
                    sum.update { $0 += value }
                }, onCompleted: { ends.update { $0 += 1 } })
            #expect(count.value == Self.depth)
            #expect(sum.value == Self.depth * (Self.depth - 1) / 2)
            #expect(ends.value == 1)
            // In the middle of the nest and at its end: the remainder is released without recursion too.
            let second = nest(Self.depth).concat(Observable.never()).take(Self.depth / 2).subscribe()
            second.dispose()
            nest(Self.depth).concat(Observable.never()).subscribe().dispose()
        }
    }

    @Test func failingDeepNestTakesNoStack() {
        onSmallStack {
            var chain = Observable<Int>.error(TestError())
            for number in 1..<Self.depth { chain = chain.concat(Observable.just(number)) }
            let errors = Cell(0)
            _ = chain.subscribe(onError: { _ in errors.update { $0 += 1 } })
            #expect(errors.value == 1)
        }
    }

    /// This holds also if the next sequence is nested alone, so that nothing follows it.
    @Test(arguments: [false, true]) func tailRecursionTakesNoMemory(_ isNestedAlone: Bool) {
        onSmallStack {
            @Sendable func count(from number: Int) -> Observable<Int> {
                let rest = Observable.deferred { count(from: number + 1) }
                return Observable.just(number).concat(isNestedAlone ? .concat([rest]) : rest)
            }
            let seen = Cell(0)
            #if TRACE_RESOURCES
            let before = Resources.total
            #endif
            _ = count(from: 0).take(Self.depth).subscribe(onNext: { number in
                seen.update { $0 += 1 }
                #if TRACE_RESOURCES
                if number % 1000 == 0 { #expect(Resources.total < before + 100) }
                #endif
            })
            #expect(seen.value == Self.depth)
        }
    }
}
