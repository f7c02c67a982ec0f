// modes: 5 6
// Members with inferred types, functions given by name, closures that destructure a pair: common code, without warnings
// in either mode.
import RxEngine

struct Row: Equatable, Sendable {
    var id: Int
    var title: String

    static func row(_ id: Int) -> Row { Row(id: id, title: "row \(id)") }
}

@Sendable func load(_ id: Int) -> Observable<Row> { .just(.row(id)) }
@Sendable func loadOnce(_ id: Int) -> Single<Row> { .just(.row(id)) }

func combining(_ a: Observable<Int>, _ b: Observable<Int>) -> [Observable<Int>] {
    let relay = BehaviorRelay(value: 0)
    let sums:
        (Observable<Int>, Observable<Int>, Observable<Int>, @escaping @Sendable (Int, Int, Int) throws -> Int)
            -> Observable<Int> = Observable.zip(_:_:_:resultSelector:)
    return [
        a.concat(.just(1)).concat(.empty()).concat(b).concat(relay),
        a.amb(.never()).amb(b).amb(relay),
        a.timeout(.seconds(1), other: .just(0), scheduler: MainScheduler.instance),
        a.timeout(.seconds(1), other: Single.just(0), scheduler: MainScheduler.instance),
        a.ifEmpty(switchTo: .just(1)).ifEmpty(default: 1).startWith(0, 1),
        a.catch { _ in .empty() }.catch { .error($0) },
        a.catch { error in
            print(error)
            return .just(-1)
        },
        .merge(a, b, .just(1)),
        .merge([a, .never()]),
        .concat(a, .just(1), .never()),
        .concat([.just(1), b, .error(RxError.unknown)]),
        .zip(a, b) { $0 + $1 },
        Observable.zip(a, b).map { $0 * $1 },
        Observable.zip([a, b]).map { $0.reduce(0, +) },
        .combineLatest(a, b) { a, b in a - b },
        Observable.combineLatest(a, relay).map { a, value in a + value },
        Observable.combineLatest(a, b, relay).filter { $0.1 > 0 }.map { $0.2 },
        .combineLatest([a, b]) { $0.max() ?? 0 },
        sums(a, b, relay.asObservable()) { $0 + $1 + $2 },
        Observable.zip(a, b, a, relay).map { a, b, c, d in a + b + c + d },
        a.withLatestFrom(b),
        a.withLatestFrom(relay) { ($0, $1) }.map { $0 + $1 },
        a.scan(into: [Int]()) { $0.append($1) }.map(\.count),
        a.enumerated().map { index, element in index * element },
        a.enumerated().map(\.element),
        a.retry(when: { $0.take(2) }).retry(when: { _ in Observable.just(()) }),
        a.materialize().compactMap(\.element),
        a.flatMap { _ -> Observable<Int> in .just(1) }.flatMapLatest { Observable.just($0) },
        a.flatMap(load).map(\.id),
        a.concatMap(loadOnce).distinctUntilChanged(\.title).map { $0.title.count },
        a.map(String.init).compactMap(Int.init).filter { $0 > 0 },
        a.map { ($0, "\($0)") }.filter { number, _ in number > 1 }.map(\.0),
        a.groupBy { $0 % 2 }.flatMap { group in group.map { $0 + group.key } },
        Infallible.just(1).concat(.just(2)).asObservable(),
        a.flatMapLatest { Infallible.just($0) }.asDriver().asObservable(),
        a.flatMapLatest { number -> Infallible<Int> in .just(number) }.startWith(0).asObservable(),
    ]
}

func traits(_ single: Single<Int>, _ maybe: Maybe<Int>, _ completable: Completable) -> [Single<Int>] {
    let then: Single<Int> = completable.andThen(.just(1))
    return [
        then,
        single.catch { _ in .just(0) }.timeout(.seconds(1), other: .never(), scheduler: MainScheduler.instance),
        maybe.ifEmpty(switchTo: .just(1)),
        completable.concat(.empty()).andThen(single),
        .create { single in
            single(.success(1))
            return Disposables.create()
        },
    ]
}

func subscribing(_ a: Observable<Int>, bag: DisposeBag) {
    let (relay, optional) = (BehaviorRelay(value: 0), BehaviorRelay<Int?>(value: nil))
    a.subscribe { print($0) }.disposed(by: bag)
    a.subscribe {
        print($0)
    } onError: {
        print($0)
    } onCompleted: {
        print("end")
    }.disposed(by: bag)
    a.bind(to: relay, relay).disposed(by: bag)
    a.bind(to: optional).disposed(by: bag)
    a.bind(to: PublishSubject()).disposed(by: bag)
    a.bind(onNext: relay.accept).disposed(by: bag)
    a.bind { print($0) }.disposed(by: bag)
    Single.just(1).subscribe { print($0) }.disposed(by: bag)
    Single.just(1).subscribe {
        print($0)
    } onFailure: {
        print($0)
    }.disposed(by: bag)
    Completable.empty().subscribe { print($0) }.disposed(by: bag)
    Driver.just(1).drive(relay).disposed(by: bag)
    Signal.merge(.just(1), .never()).emit(to: optional).disposed(by: bag)
    PublishRelay<Void>().asSignal().withLatestFrom(relay.asDriver()).emit(to: relay).disposed(by: bag)
}

func show(_ sources: Observable<Int>...) {
    for source in sources { _ = source.toArray().subscribe(onSuccess: { print($0) }, onFailure: { print($0) }) }
}

let (one, nothing, silence) = (Observable.just(1), Observable<Int>.empty(), Observable<Int>.never())
show(one.concat(.just(2)).concat(.empty()), nothing.amb(.never()), silence.amb(.just(3)))
let scheduler = HistoricalScheduler()
show(silence.timeout(.seconds(5), other: .just(4), scheduler: scheduler), nothing.ifEmpty(switchTo: .just(5)))
scheduler.start()

// Prints:
// [1, 2]
// []
// [3]
// [5]
// [4]
