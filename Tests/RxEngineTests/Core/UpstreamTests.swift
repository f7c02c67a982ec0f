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
        ("deferred", { source in Observable.deferred { source } }),
        ("flatMap", { $0.flatMap { Observable.just($0) } }),
        ("flatMapLatest", { $0.flatMapLatest { Observable.just($0) } }),
        ("flatMapFirst", { $0.flatMapFirst { Observable.just($0) } }),
        ("concatMap", { $0.concatMap { Observable.just($0) } }),
        ("flatMap and map", { $0.flatMap { Observable.just($0) }.map { $0 + 1 } }),
        ("merge", { Observable.merge([.never(), $0]) }),
        ("zip", { Observable.zip($0, Observable.just(1)) { $0 + $1 } }),
        ("combineLatest", { Observable.combineLatest(Observable.just(1), $0) { $0 + $1 } }),
        ("combineLatest of a list", { Observable.combineLatest([$0, .just(1)]) { $0.reduce(0, +) } }),
        ("withLatestFrom", { Observable.just(1).withLatestFrom($0) }),
        ("take(until:)", { Observable.just(1).take(until: $0) }),
        ("sample", { Observable.just(1).sample($0) }),
        ("amb", { Observable.amb([$0, .never()]) }),
        ("startWith", { $0.startWith(1) }),
        ("catch", { $0.catch { _ in .just(1) } }),
        ("retry", { $0.retry(2) }),
        ("share", { $0.share() }),
        ("share(replay:)", { $0.share(replay: 1, scope: .forever) }),
        ("share and map", { $0.share(replay: 1).map { $0 + 1 } }),
        ("publish", { $0.publish().refCount() }),
        ("using", { source in Observable.using({ BooleanDisposable() }, observableFactory: { _ in source }) }),
        ("groupBy", { $0.groupBy { $0 % 2 }.flatMap { $0 } }),
        ("window", { $0.window(timeSpan: .seconds(1), count: 2, scheduler: MainScheduler.instance).merge() }),
        ("delay", { $0.delay(.seconds(1), scheduler: MainScheduler.instance) }),
        ("timeout", { $0.timeout(.seconds(1), scheduler: MainScheduler.instance) }),
        ("asDriver", { $0.asDriver(onErrorJustReturn: 0).asObservable() }),
        (
            "Infallible.flatMap",
            { $0.asInfallible(onErrorJustReturn: 0).flatMap { Infallible.just($0) }.asObservable() }
        ),
    ]

    /// Chains that are too long to subscribe to can still be created and released.
    @Test(arguments: nests.indices) func releasingLongChainTakesLittleStack(_ index: Int) {
        onSmallStack {
            for source in [Observable<Int>.never(), .just(1)] {
                var nested = source
                for _ in 0..<30_000 { nested = Self.nests[index].nest(nested) }
            }
        }
    }

    @Test func sharedUpstreamIsRetained() {
        onSmallStack {
            var held: [Observable<Int>] = []
            var nested = Observable.just(0)
            for level in 1...100_000 {
                nested = nested.map { $0 + 1 }
                if level.isMultiple(of: 16), level <= 80 { held.append(nested) }
            }
            nested = .never()
            let sums = held.map { source in
                let sum = Cell(0)
                _ = source.subscribe(onNext: { value in sum.update { $0 = value } })
                return sum.value
            }
            #expect(sums == (1...5).map { $0 * 16 })
        }
    }

    /// Releasing an element may release another chain during the release of the first.
    @Test func releasingChainInsideRelease() {
        // Unchecked: it is released on one thread.
        final class Owner: @unchecked Sendable {
            var owned: Observable<Int>?
            let gone: Cell<Int>

            init(_ gone: Cell<Int>) {
                self.gone = gone
            }

            deinit {
                owned = nil
                gone.update { $0 += 1 }
            }
        }
        let gone = Cell(0)
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
