import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct UpstreamTests {
    private typealias Nest = @Sendable (Observable<Int>) -> Observable<Int>

    private static let nests: [(name: String, nest: Nest)] = [
        ("map", { $0.map { $0 + 1 } }),
        ("filter", { $0.filter { _ in true } }),
        ("map and filter", { $0.map { $0 + 1 }.filter { _ in true } }),
        ("compactMap", { $0.compactMap { $0 } }),
        ("scan", { $0.scan(0) { $0 + $1 } }),
        ("take", { $0.take(1) }),
        ("do", { $0.do(onNext: { _ in }) }),
        ("distinctUntilChanged", { $0.distinctUntilChanged() }),
        ("catchAndReturn", { $0.catchAndReturn(0) }),
        ("observe(on:)", { $0.observe(on: CurrentThreadScheduler.instance) }),
        ("Single.flatMap", { $0.asSingle().flatMap { .just($0) }.asObservable() }),
        ("concat", { $0.concat(.just(1)) }),
    ]

    /// Nobody could subscribe to that many, but they can be made, and go.
    @Test(arguments: nests.indices) func aHundredThousandGoInLittleStack(_ index: Int) {
        onSmallStack {
            for source in [Observable<Int>.never(), .just(1)] {
                var nested = source
                for _ in 0..<100_000 { nested = Self.nests[index].nest(nested) }
            }
        }
    }

    @Test func whatSomeoneElseHoldsStays() {
        onSmallStack {
            var held: [Observable<Int>] = []
            var nested = Observable.just(0)
            for level in 1...100_000 {
                nested = nested.map { $0 + 1 }
                if level.isMultiple(of: 16), level <= 80 { held.append(nested) }
            }
            nested = .never()
            let sums = held.map { source in
                let sum = Box(0)
                _ = source.subscribe(onNext: { value in sum.update { $0 = value } })
                return sum.value
            }
            #expect(sums == (1...5).map { $0 * 16 })
        }
    }

    /// An element's end may let go of another chain while one is going.
    @Test func oneGoesInsideTheOther() {
        // Unchecked: it goes on one thread.
        final class Owner: @unchecked Sendable {
            var owned: Observable<Int>?
            let gone: Box<Int>

            init(_ gone: Box<Int>) {
                self.gone = gone
            }

            deinit {
                owned = nil
                gone.update { $0 += 1 }
            }
        }
        let gone = Box(0)
        onSmallStack {
            func chain(_ owner: Owner?) -> Observable<Int> {
                var nested = Observable.just(0).do(onNext: { _ in withExtendedLifetime(owner) {} })
                for _ in 0..<10_000 { nested = nested.map { $0 + 1 } }
                return nested
            }
            let (inner, outer) = (Owner(gone), Owner(gone))
            inner.owned = chain(nil)
            outer.owned = chain(inner)
            withExtendedLifetime(chain(outer)) {}
        }
        #expect(gone.value == 2)
    }
}
