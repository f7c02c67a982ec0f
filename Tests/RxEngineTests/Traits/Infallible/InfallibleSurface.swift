import RxEngine
import TestSupport

/// Every expression with an infallible, as a program would write it: it is enough that this compiles.
private enum InfallibleSurface {
    final class Model {}

    static func making(_ scheduler: some SchedulerType, _ source: Observable<Int>) {
        let _: [Infallible<Int>] = [
            .create { observer in
                observer(.next(1))
                observer(.completed)
                return Disposables.create()
            },
            source.asInfallible(onErrorJustReturn: 1), source.asInfallible(onErrorFallbackTo: .empty()),
            source.asInfallible(onErrorRecover: { _ in .just(1) }), source.asInfallible { _ in .never() },
            .just(1), .just(1, scheduler: scheduler), .never(), .empty(), .deferred { .just(1) }, .of(1, 2),
            .of(1, 2, scheduler: scheduler), .from([1, 2]), .from([1, 2], scheduler: scheduler), .from(1...2),
            .from(Set([1]), scheduler: scheduler), Infallible.just(1), Infallible.of(1, 2),
        ]
    }

    static func subscribing(_ source: Infallible<Int>, _ model: Model) async {
        _ = source.subscribe { event in
            switch event {
            case .next(let element): print(element)
            case .completed: print("done")
            }
        }
        _ = source.subscribe()
        _ = source.subscribe(onNext: { print($0) })
        _ = source.subscribe(onNext: { print($0) }, onCompleted: {}, onDisposed: {})
        _ = source.subscribe(
            with: model, onNext: { print($0, $1) }, onCompleted: { print($0) }, onDisposed: { print($0) })
        for await element in source.values { print(element) }
        for await element in source.values(bufferingPolicy: .bufferingNewest(1)) { print(element) }
        for await element in source.values(demand: Demand(limit: 1)) { print(element) }
        let _: Infallible<Int> = AsyncStream<Int>.makeStream().stream.asInfallible(demand: Demand(limit: 1))
    }

    static func transforming(_ source: Infallible<Int>, _ scheduler: some SchedulerType, _ model: Model) {
        let _: [Infallible<Int>] = [
            source.map { $0 + 1 }, source.filter { $0 > 1 }, source.compactMap { $0 > 1 ? $0 : nil },
            source.flatMap { Infallible.just($0) }, source.flatMapLatest { Infallible.just($0) },
            source.flatMapFirst { Infallible.just($0) }, source.concatMap { Observable.just($0) },
            source.distinctUntilChanged(), source.distinctUntilChanged { $0 % 2 },
            source.distinctUntilChanged { $0 == $1 }, source.distinctUntilChanged(at: \.description),
            source.distinctUntilChanged({ $0 }, comparer: { $0 == $1 }),
            source.debounce(.seconds(1), scheduler: scheduler), source.throttle(.seconds(1), scheduler: scheduler),
            source.throttle(.seconds(1), latest: false, scheduler: scheduler),
            source.scan(0) { $0 + $1 }, source.scan(0, accumulator: +), source.scan(into: 0) { $0 += $1 },
            source.startWith(1), source.take(1), source.take(for: .seconds(1), scheduler: scheduler),
            source.take(until: source), source.take(until: source.asObservable()), source.take(until: { $0 > 1 }),
            source.take(until: { $0 > 1 }, behavior: .inclusive), source.take(while: { $0 > 1 }),
            source.take(while: { $0 > 1 }, behavior: .inclusive), source.skip(1), source.skip(while: { $0 > 1 }),
            source.skip(until: source.asObservable()), source.counted(in: Demand(limit: 1)) { $0 }, source.share(),
            source.share(replay: 1, scope: .forever),
            source.withUnretained(model).map { $1 }, source.withUnretained(model) { $1 }, source.withLatestFrom(source),
            source.withLatestFrom(source) { $0 + $1 }, source.do(onNext: { print($0) }, onCompleted: {}),
            source.debug(), source.debug("source", trimOutput: true, file: "file", line: 1, function: "function"),
        ]
    }

    static func combining(_ source: Infallible<Int>) {
        let all = [source, .just(1)]
        let _: [Infallible<Int>] = [
            source.concat(source), .concat(all), .concat(AnySequence(all)), .concat(source, source), .merge(all),
            .merge(all.prefix(1)), .merge(source, .just(1)), Infallible.merge([source, .just(1)]),
            .combineLatest(all) { $0.reduce(0, +) }, .combineLatest(source, source) { $0 + $1 },
            .zip(source, source) { $0 + $1 }, .zip(source, source, resultSelector: +),
        ]
        let _: [Infallible<[Int]>] = [Infallible.combineLatest(all), Infallible.zip(all)]
        let _: Infallible<(Int, String)> = Infallible.combineLatest(source, source.map { "\($0)" })
        let _: Infallible<(Int, String, Int)> = Infallible.combineLatest(source, source.map { "\($0)" }, source)
    }

    static func binding(_ source: Infallible<Int>, _ subject: PublishSubject<Int>, _ model: Model) {
        func binder(_ source: Infallible<Int>) -> any Disposable { source.subscribe() }
        func curried(_ source: Infallible<Int>) -> (@escaping (Int) -> String) -> any Disposable {
            { _ in source.subscribe() }
        }
        _ = [
            source.bind(to: subject), source.bind(to: subject, subject), source.bind(to: PublishSubject<Int?>()),
            source.bind(to: AnyObserver<Int> { print($0) }), source.bind(to: binder),
            source.bind(to: curried) { "\($0)" }, source.bind(onNext: { print($0) }), source.bind { print($0) },
            source.bind(with: model) { print($0, $1) }, source.bind(to: PublishRelay<Int>()),
            source.bind(to: PublishRelay<Int?>()), source.bind(to: BehaviorRelay(value: 1)),
            source.bind(to: BehaviorRelay<Int?>(value: nil)), source.bind(to: ReplayRelay<Int>.createUnbound()),
            source.bind(to: ReplayRelay<Int?>.create(bufferSize: 1), ReplayRelay<Int?>.create(bufferSize: 1)),
        ]
    }
}
