import FoundationEssentials
import RxEngine

// Nothing here runs. That it compiles is the test: every public name, used once.

@MainActor
private func makingAndConverting(_ source: Observable<Int>, _ relay: PublishRelay<Int>) -> [Any] {
    let driver: Driver<Int> = source.asDriver(onErrorJustReturn: 0)
    let signal: Signal<Int> = source.asSignal(onErrorJustReturn: 0)
    let shared: SharedSequence<DriverSharingStrategy, Int> = source.asSharedSequence(onErrorJustReturn: 0)
    return [
        shared, source.asSharedSequence(sharingStrategy: SignalSharingStrategy.self, onErrorJustReturn: 0),
        source.asSharedSequence(onErrorDriveWith: signal), source.asSharedSequence { _ in driver },
        source.asDriver(onErrorDriveWith: .empty()), source.asDriver { _ in .empty() },
        source.asDriver(onErrorRecover: { _ in .empty() }),
        source.asSignal(onErrorSignalWith: .empty()), source.asSignal { _ in .empty() },
        BehaviorRelay(value: 1).asDriver(), relay.asSignal(), Infallible.just(1).asDriver(), driver.asDriver(),
        signal.asSignal(), signal.asDriver(onErrorJustReturn: 0), driver.asSignal(onErrorJustReturn: 0),
        driver.asSharedSequence(), driver.asObservable(), driver.asInfallible(), signal.asInfallible(),
        Driver.createUnsafe(source: source), Driver<Int>.empty(), Driver<Int>.never(), Driver.just(1),
        Driver.deferred { Driver.just(1) }, Driver.of(1, 2), Driver.from([1, 2]), Driver.from(Set([1, 2])),
        Driver.from(optional: Int?.none), Driver<Int>.interval(.seconds(1)),
        Driver<Int64>.timer(.seconds(1), period: .seconds(1)), SharingScheduler.make(),
        DriverSharingStrategy.scheduler, SignalSharingStrategy.scheduler,
        DriverSharingStrategy.share(source), SignalSharingStrategy.share(source), driver.values, source.values,
        driver.values(bufferingPolicy: .unbounded), signal.values(demand: Demand(limit: 1)),
        driver.counted(in: Demand(limit: 1)) { $0 },
        AsyncStream<Int>.makeStream().stream.asDriver(demand: Demand(limit: 1)),
        source.values(bufferingPolicy: .bufferingNewest(1)), AsyncStream<Int>.makeStream().stream.asObservable(),
        AsyncStream<Int>.makeStream().stream.asObservable(priority: .low),
    ]
}

private func operators(_ driver: Driver<Int>, _ signal: Signal<Int>) -> [Any] {
    let words: Driver<String> = driver.map { "\($0)" }
    let odd: Driver<Int> = driver.compactMap { $0 % 2 == 0 ? nil : $0 }
    return [
        words, odd, driver.map(\.magnitude), driver.filter { $0 > 1 }, driver.flatMap { _ in signal },
        driver.flatMapLatest { _ in signal }, signal.flatMapFirst { _ in driver },
        driver.map { _ in signal }.switchLatest(), driver.map { _ in signal }.merge(),
        driver.map { _ in signal }.merge(maxConcurrent: 2),
        Driver.merge(driver, driver), Driver.merge([driver]), Driver.merge(Set([1]).map { Driver.just($0) }),
        driver.do(onNext: { _ in }), driver.do(afterNext: { _ in }, onCompleted: {}, afterCompleted: {}),
        driver.do(onSubscribe: {}, onSubscribed: {}, onDispose: {}), driver.debug(),
        driver.debug("x", trimOutput: true),
        driver.distinctUntilChanged(), driver.distinctUntilChanged { $0 / 2 },
        driver.distinctUntilChanged { $0 == $1 }, driver.distinctUntilChanged({ $0 }, comparer: { $0 == $1 }),
        driver.throttle(.seconds(1)), driver.throttle(.seconds(1), latest: false), driver.debounce(.seconds(1)),
        driver.delay(.seconds(1)), driver.scan(0) { $0 + $1 }, driver.scan([], accumulator: { $0 + [$1] }),
        driver.skip(1), driver.startWith(0), Driver.concat([driver]), Driver.concat(AnySequence([driver])),
        Driver.zip([driver, driver]), Driver.zip([driver]) { $0.count }, Driver.combineLatest([driver]),
        Driver.combineLatest([driver]) { $0.count }, driver.withLatestFrom(words),
        driver.withLatestFrom(words) { "\($0)\($1)" }, Driver.combineLatest(driver, words) { "\($0)\($1)" },
        Driver.combineLatest(driver, words), Driver.zip(driver, words) { "\($0)\($1)" }, Driver.zip(driver, words),
    ]
}

private final class Owner {}

private func driving(_ driver: Driver<Int>, _ observer: AnyObserver<Int>, _ optional: AnyObserver<Int?>) -> [Any] {
    func curried(_ source: Observable<Int>) -> (Int) -> any Disposable { { _ in source.subscribe() } }
    let (behavior, optionalBehavior) = (BehaviorRelay(value: 1), BehaviorRelay<Int?>(value: 1))
    let (replay, optionalReplay) = (ReplayRelay<Int>.create(bufferSize: 1), ReplayRelay<Int?>.createUnbound())
    return [
        driver.drive(observer), driver.drive(observer, observer), driver.drive(optional),
        driver.drive(optional, optional),
        driver.drive(behavior), driver.drive(behavior, behavior), driver.drive(optionalBehavior),
        driver.drive(replay), driver.drive(replay, replay), driver.drive(optionalReplay),
        driver.drive { $0.subscribe() } as any Disposable, driver.drive(curried, curriedArgument: 1),
        driver.drive(onNext: { _ in }, onCompleted: {}, onDisposed: {}), driver.drive(onNext: { _ in }),
        driver.drive(with: Owner(), onNext: { _, _ in }, onCompleted: { _ in }, onDisposed: { _ in }),
        driver.drive(with: Owner(), onNext: { _, _ in }), driver.drive(),
    ]
}

private func emitting(_ signal: Signal<Int>, _ observer: AnyObserver<Int>, _ optional: AnyObserver<Int?>) -> [Any] {
    let (publish, optionalPublish) = (PublishRelay<Int>(), PublishRelay<Int?>())
    let (behavior, optionalBehavior) = (BehaviorRelay(value: 1), BehaviorRelay<Int?>(value: 1))
    let (replay, optionalReplay) = (ReplayRelay<Int>.create(bufferSize: 1), ReplayRelay<Int?>.createUnbound())
    return [
        signal.emit(to: observer), signal.emit(to: observer, observer), signal.emit(to: optional, optional),
        signal.emit(to: publish), signal.emit(to: publish, publish), signal.emit(to: optionalPublish),
        signal.emit(to: behavior), signal.emit(to: optionalBehavior), signal.emit(to: replay),
        signal.emit(to: optionalReplay), signal.emit(onNext: { _ in }, onCompleted: {}, onDisposed: {}),
        signal.emit(onNext: { _ in }), signal.emit(with: Owner(), onNext: { _, _ in }), signal.emit(),
        signal.withUnretained(Owner()), signal.withUnretained(Owner()) { $1 },
    ]
}

private func controls(_ source: Observable<String?>, _ observer: AnyObserver<String?>) -> [Any] {
    let property = ControlProperty(values: source, valueSink: observer)
    let event = ControlEvent(events: source)
    property.on(.next("a"))
    func read(_ property: some ControlPropertyType<String?>, _ event: some ControlEventType<String?>) -> [Any] {
        [property.asControlProperty(), event.asControlEvent(), property.orEmpty]
    }
    return read(property, event) + [
        property.asObservable(), property.asDriver(), property.changed, property.orEmpty, property.subscribe(observer),
        property.asObserver(), event.subscribe(observer), event.asObservable(), event.asInfallible(), event.asDriver(),
        event.asSignal(),
    ]
}

private func binding(_ source: Observable<Int>, _ observer: AnyObserver<Int>, _ optional: AnyObserver<Int?>) -> [Any] {
    func curried(_ source: Observable<Int>) -> (Int) -> any Disposable { { _ in source.subscribe() } }
    return [
        source.bind(to: observer), source.bind(to: observer, observer), source.bind(to: optional, optional),
        source.bind { $0.subscribe() } as any Disposable, source.bind(to: curried, curriedArgument: 1),
        source.bind(onNext: { _ in }), source.bind { _ in } as any Disposable,
        source.bind(with: Owner(), onNext: { _, _ in }),
        Binder<Int>(Owner()) { _, _ in }.asObserver(),
        Binder<Int>(Owner(), scheduler: MainScheduler.instance) { _, _ in },
        Binder<Int>(Owner(), scheduler: MainScheduler(), binding: { _, _ in }),
    ]
}

private struct Reader: DataDecoder {
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
