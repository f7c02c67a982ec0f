import RxEngine
import TestSupport
import Testing

/// If an operator's closure disposes the subscription, the element is not delivered, whichever operator it is, and the
/// source is released at once.
@Suite(.balanced) struct DisposalInsideTests {
    /// An operator with a closure that calls the given closure.
    struct Chain: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let apply: @Sendable (Observable<Int>, @escaping @Sendable () -> Void) -> Observable<Int>

        init(
            _ name: String,
            _ apply: @escaping @Sendable (Observable<Int>, @escaping @Sendable () -> Void) -> Observable<Int>
        ) {
            testDescription = name
            self.apply = apply
        }
    }

    /// Calls a closure for each element.
    private struct Calling: SequenceListener {
        let closure: @Sendable () -> Void

        func onNext(_ element: some Any) { closure() }
    }

    private static var endlessSource: Observable<Int> { Observable.just(1).concat(Observable.never()) }

    static let chains: [Chain] = [
        .init("map") { source, leave in
            source.map {
                leave()
                return $0
            }
        },
        .init("filter") { source, leave in
            source.filter { _ in
                leave()
                return true
            }
        },
        .init("compactMap") { source, leave in
            source.compactMap {
                leave()
                return $0
            }
        },
        .init("do") { source, leave in source.do(onNext: { _ in leave() }) },
        .init("tap") { source, leave in source.tap(Calling(closure: leave)) },
        .init("scan") { source, leave in
            source.scan(0) {
                leave()
                return $0 + $1
            }
        },
        .init("scan(into:)") { source, leave in
            source.scan(into: 0) {
                leave()
                $0 += $1
            }
        },
        .init("reduce") { source, leave in
            source.take(1).reduce(0, accumulator: { $0 + $1 }) {
                leave()
                return $0
            }
        },
        .init("distinctUntilChanged, key") { source, leave in
            source.distinctUntilChanged { number -> Int in
                leave()
                return number
            }
        },
        .init("take(while:)") { source, leave in
            source.take(while: { _ in
                leave()
                return true
            })
        },
        .init("take(until:), inclusive") { source, leave in
            let isLast: @Sendable (Int) -> Bool = { _ in
                leave()
                return true
            }
            return source.take(until: isLast, behavior: .inclusive)
        },
        .init("skip(while:)") { source, leave in
            source.skip(while: { _ in
                leave()
                return false
            })
        },
        .init("single") { source, leave in
            source.single { _ in
                leave()
                return true
            }
        },
        .init("flatMap") { source, leave in
            source.flatMap {
                leave()
                return Observable.just($0)
            }
        },
        .init("flatMapFirst") { source, leave in
            source.flatMapFirst {
                leave()
                return Observable.just($0)
            }
        },
        .init("flatMapLatest") { source, leave in
            source.flatMapLatest {
                leave()
                return Observable.just($0)
            }
        },
        .init("concatMap") { source, leave in
            source.concatMap {
                leave()
                return Observable.just($0)
            }
        },
        .init("concatMapEager") { source, leave in
            source.concatMapEager {
                leave()
                return Observable.just($0)
            }
        },
        .init("switchOnFirst") { source, leave in
            source.switchOnFirst { _, all in
                leave()
                return all
            }
        },
        .init("buffer(while:)") { source, leave in
            source.buffer(while: { _ in
                leave()
                return false
            }).map { $0.count }
        },
        .init("zip(longest:)") { source, leave in
            .zip(longest: source, Observable<Int>.empty()) {
                leave()
                return ($0 ?? 0) + ($1 ?? 0)
            }
        },
        .init("repeat(when:)") { source, leave in
            source.take(1).filter { _ in false }.repeat { $0.do(onNext: { leave() }) }
        },
        .init("deferred") { source, leave in
            source.flatMap { number in
                Observable.deferred {
                    leave()
                    return .just(number)
                }
            }
        },
        .init("distinct, key") { source, leave in
            source.distinct {
                leave()
                return $0
            }
        },
        .init("debounce, closure") { source, leave in
            source.debounce { _ in
                leave()
                return Observable.just(0)
            }
        },
        .init("throttle, closure") { source, leave in
            source.throttle { _ in
                leave()
                return Observable.just(0)
            }
        },
        .init("groupBy") { source, leave in
            let groups = source.groupBy {
                leave()
                return $0
            }
            return groups.flatMap { $0 }
        },
        .init("combineLatest") { source, leave in
            .combineLatest(source, endlessSource) {
                leave()
                return $0 + $1
            }
        },
        .init("combineLatest of a collection") { source, leave in
            .combineLatest([source, endlessSource]) {
                leave()
                return $0[0]
            }
        },
        .init("zip") { source, leave in
            .zip(source, endlessSource) {
                leave()
                return $0 + $1
            }
        },
        .init("zip of a collection") { source, leave in
            .zip([source, endlessSource]) {
                leave()
                return $0[0]
            }
        },
        .init("withLatestFrom") { source, leave in
            source.withLatestFrom(endlessSource) {
                leave()
                return $0 + $1
            }
        },
        .init("withUnretained") { source, leave in
            source.withUnretained(source) {
                leave()
                return $1
            }
        },
        .init("catch") { source, leave in
            let failing = source.map { _ -> Int in throw TestError() }
            return failing.catch { _ in
                leave()
                return .just(1)
            }
        },
        .init("retry(when:)") { source, leave in
            let failing = source.map { _ -> Int in throw TestError() }
            return failing.retry(when: { (errors: Observable<any Error>) in errors.map { _ in leave() } })
        },
        .init("multicast") { source, leave in
            source.multicast({ PublishSubject<Int>() }, selector: { $0.do(onNext: { _ in leave() }) })
        },
        .init("share") { source, leave in source.do(onNext: { _ in leave() }).share() },
        .init("share(replay: 1)") { source, leave in source.do(onNext: { _ in leave() }).share(replay: 1) },
        .init("observe(on:)") { source, leave in
            source.do(onNext: { _ in leave() }).observe(on: CurrentThreadScheduler.instance)
        },
    ]

    @Test(arguments: chains.indices) func disposingInsideClosureStopsElement(_ index: Int) {
        let source = PublishSubject<Int>()
        let subscription = SerialDisposable()
        let (disposals, calls) = (Cell(0), Cell(0))
        let chain = Self.chains[index].apply(source.asObservable()) { subscription.dispose() }
        subscription.disposable = chain.countingCalls(calls).subscribe(
            onNext: { Issue.record("received \($0)") }, onError: { Issue.record("failed with \($0)") },
            onCompleted: { Issue.record("completed") }, onDisposed: { disposals.update { $0 += 1 } })
        source.onNext(1)
        #expect(!source.hasObservers)
        source.onNext(2)
        source.onCompleted()
        #expect(disposals.value == 1)
        #expect(calls.value == 0)
    }
}
