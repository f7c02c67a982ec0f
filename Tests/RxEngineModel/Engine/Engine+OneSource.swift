import RxEngine
import RxEngineTest

extension Engine {
    func one(_ name: OneSource, _ source: Observable<Int>) -> Observable<Int> {
        switch name {
        case .deferred(let fails):
            .deferred {
                if fails { throw Failure(70) }
                return source
            }
        case .using(let id, let fails): using(id, fails, source)
        case .map(let function): source.map { try function($0) }
        case .compactMap(let condition, let function):
            source.compactMap { try condition($0) ? try function($0) : nil }
        case .mapTo(let value): source.mapTo(value)
        case .unwrap(let condition): source.map { try condition($0) ? $0 : nil }.unwrap()
        case .ofType(let condition): source.map { try condition($0) ? $0 : () as Any }.ofType(Int.self)
        case .cast(let condition): source.map { try condition($0) ? $0 : () as Any }.cast(to: Int.self)
        case .partition(let condition, let part):
            .deferred {
                let (matching, others) = source.partition { try condition($0) }
                return part == .matching ? matching : others
            }
        case .doFinally(let id): finally(id, source)
        case .filter(let condition): source.filter { try condition($0) }
        case .scan(let seed, let throwsAt):
            source.scan(seed) {
                try Model.check($1, throwsAt)
                return ($0 + $1) % 1000
            }
        case .scanInto(let seed, let throwsAt):
            source.scan(into: seed) {
                try Model.check($1, throwsAt)
                $0 = ($0 + $1) % 1000
            }
        case .enumerated: source.enumerated().map { ($0.index * 100 + $0.element) % 1000 }
        case .pairwise: source.pairwise().map { ($0.previous * 10 + $0.current) % 1000 }
        case .distinctUntilChanged: source.distinctUntilChanged()
        case .distinct: source.distinct()
        case .nwise(let count): source.nwise(count).map(Model.digest)
        case .switchOnFirst: source.switchOnFirst { first, all in all.map { (first + $0) % 1000 } }
        case .startWith(let values): startWith(values, source)
        case .materializeDematerialize: source.materialize().dematerialize()
        case .materialize: source.materialize().map(Self.code)
        case .materializeElements: source.materialize().elements()
        case .terminateDetach: source.onTerminateDetach()
        case .asObservable: source.asObservable()
        case .checkpoint: source.checkpoint("checkpoint")
        case .tag: source.tag("tag")
        case .identityMap: source.map { $0 }
        case .do(let effects): watch(source, effects)
        case .catchAndReturn(let value): source.catchAndReturn(value)
        case .retry(let attempts): source.retry(attempts)
        case .retryForever: source.retry()
        case .repeatCount(let count): source.repeat(count)
        default: distinct(name, source)
        }
    }

    private func distinct(_ name: OneSource, _ source: Observable<Int>) -> Observable<Int> {
        switch name {
        case .distinctByKey(let modulus, let throwsAt):
            source.distinctUntilChanged {
                try Model.check($0, throwsAt)
                return $0 % modulus
            }
        case .distinctByComparer(let throwsAt):
            source.distinctUntilChanged { try Model.areClose($0, $1, throwsAt) }
        case .distinctByKeyAndComparer(let modulus, let throwsAt):
            source.distinctUntilChanged(
                {
                    try Model.check($0, throwsAt)
                    return $0 % modulus
                }, comparer: { try Model.areClose($0, $1, nil) })
        case .withUnretained(let diesAt): withUnretained(diesAt, source)
        case .timestamp:
            source.timestamp(scheduler: scheduler).map { [scheduler] in $0.time == scheduler.now ? $0.element : -2 }
        case .debug: source.debug("model")
        case .retryPolicy(let policy): source.retry(Self.policy(policy), scheduler: scheduler)
        case .multicastSelector(let selector): multicast(selector, source)
        default: part(name, source)
        }
    }

    /// With a separate object for each subscription.
    private func withUnretained(_ diesAt: Int?, _ source: Observable<Int>) -> Observable<Int> {
        .deferred {
            let holder = Holder()
            guard let object = holder.object else { return source }
            return source.withUnretained(object) { _, element in
                if element == diesAt { holder.object = nil }
                return element
            }
        }
    }

    private static func policy(_ policy: OneSource.Policy) -> RetryPolicy {
        let span = RxTimeInterval.seconds(policy.span)
        return RetryPolicy(
            times: policy.times,
            backoff: policy.span == 0
                ? .none
                : policy.isExponential
                    ? .exponential(from: span, upTo: .seconds(3 * policy.span)) : .constant(span),
            elementsReset: policy.elementsReset, shouldRetry: { Failure.number(of: $0) != policy.passes })
    }

    private func multicast(_ selector: OneSource.Selector, _ source: Observable<Int>) -> Observable<Int> {
        source.multicast({ PublishSubject<Int>() }) { shared in
            switch selector {
            case .itself: shared
            case .mergedTwice: .merge([shared, shared])
            case .zippedWithRest: .zip(shared, shared.skip(1)) { Model.digest([$0, $1]) }
            case .firstElement: shared.take(1)
            case .throws: throw Failure(78)
            }
        }
    }

    private func part(_ name: OneSource, _ source: Observable<Int>) -> Observable<Int> {
        switch name {
        case .take(let count): source.take(count)
        case .takeWhile(let condition, let inclusive):
            source.take(while: { try condition($0) }, behavior: inclusive ? .inclusive : .exclusive)
        case .takeUntilPredicate(let condition, let inclusive):
            source.take(until: { try condition($0) }, behavior: inclusive ? .inclusive : .exclusive)
        case .takeLast(let count): source.takeLast(count)
        case .skip(let count): source.skip(count)
        case .skipLast(let count): source.skipLast(count)
        case .skipWhile(let condition): source.skip(while: { try condition($0) })
        case .elementAt(let index): source.element(at: index)
        case .first: source.first().asObservable().map { $0 ?? -1 }
        case .single: source.single()
        case .singleWhere(let condition): source.single { try condition($0) }
        case .ifEmptyDefault(let value): source.ifEmpty(default: value)
        case .ignoreElements: source.ignoreElements().asInt()
        case .reduce(let seed, let throwsAt):
            source.reduce(seed) {
                try Model.check($1, throwsAt)
                return ($0 + $1) % 1000
            }
        case .reduceMapResult(let seed, let fails):
            source.reduce(
                seed, accumulator: { ($0 + $1) % 1000 },
                mapResult: {
                    if fails { throw Failure(79) }
                    return $0 / 2
                })
        case .toArray: source.toArray().asObservable().map(Model.digest)
        case .bufferCount(let count, let skip): source.buffer(count: count, skip: skip).map(Model.digest)
        case .bufferWhile(let condition): source.buffer(while: { try condition($0) }).map(Model.digest)
        case .asSingle: source.asSingle().asObservable()
        case .asMaybe: source.asMaybe().asObservable()
        case .asCompletable: source.ignoreElements().asCompletable().asObservable().asInt()
        default: timed(name, source)
        }
    }

    private func timed(_ name: OneSource, _ source: Observable<Int>) -> Observable<Int> {
        switch name {
        case .debounce(let ticks): source.debounce(span(ticks), scheduler: scheduler)
        case .throttle(let ticks, let latest): source.throttle(span(ticks), latest: latest, scheduler: scheduler)
        case .throttleFirst(let ticks): source.throttleFirst(span(ticks), scheduler: scheduler)
        case .timeInterval:
            source.timeInterval(scheduler: scheduler).map { ($0.element + 100 * Int($0.interval / .seconds(1))) % 1000 }
        case .auditTime(let ticks): source.auditTime(span(ticks), scheduler: scheduler)
        case .throttleLast(let ticks): source.throttleLast(span(ticks), scheduler: scheduler)
        case .takeLastFor(let ticks): source.takeLast(for: span(ticks), scheduler: scheduler)
        case .delay(let ticks): source.delay(span(ticks), scheduler: scheduler)
        case .delaySubscription(let ticks): source.delaySubscription(span(ticks), scheduler: scheduler)
        case .timeout(let ticks): source.timeout(span(ticks), scheduler: scheduler)
        case .takeFor(let ticks): source.take(for: span(ticks), scheduler: scheduler)
        case .skipFor(let ticks): source.skip(span(ticks), scheduler: scheduler)
        case .bufferTime(let ticks, let count):
            source.buffer(timeSpan: span(ticks), count: count, scheduler: scheduler).map(Model.digest)
        case .window(let ticks, let count, let flattening):
            flatten(source.window(timeSpan: span(ticks), count: count, scheduler: scheduler), flattening)
        case .groupBy(let modulus, let flattening, let throwsAt):
            flatten(groups(source, modulus, throwsAt), flattening)
        case .observeOn: source.observe(on: scheduler)
        case .subscribeOn: source.subscribe(on: scheduler)
        case .share(let replay): source.share(replay: replay)
        default: source
        }
    }

    private func groups(_ source: Observable<Int>, _ modulus: Int, _ throwsAt: Int?) -> Observable<Observable<Int>> {
        source.groupBy {
            try Model.check($0, throwsAt)
            return $0 % modulus
        }.map { $0.asObservable() }
    }

    func flatten(
        _ source: Observable<Observable<Int>>, _ flattening: OneSource.WindowFlattening
    ) -> Observable<Int> {
        switch flattening {
        case .merge: source.merge()
        case .concat: source.concat()
        case .switchLatest: source.switchLatest()
        case .count: source.map { _ in 1 }
        }
    }

    private func startWith(_ values: [Int], _ source: Observable<Int>) -> Observable<Int> {
        switch values.count {
        case 0: source
        case 1: source.startWith(values[0])
        default: source.startWith(values[0], values[1])
        }
    }

    private func using(_ id: Int, _ fails: OneSource.UsingThrow, _ source: Observable<Int>) -> Observable<Int> {
        .using(
            { [recorder] in
                if fails == .resource { throw Failure(75) }
                recorder.note(.began(id))
                return Resource { recorder.note(.disposed(id)) }
            },
            observableFactory: { _ in
                if fails == .observable { throw Failure(76) }
                return source
            })
    }

    private static func code(_ event: Event<Int>) -> Int {
        switch event {
        case .next(let value): value
        case .error(let error): 500 + Failure.number(of: error)
        case .completed: -1
        }
    }
}

extension ObservableType where Element == Never {
    func asInt() -> Observable<Int> { materialize().compactMap(\.asInt).dematerialize() }
}

extension Event where Element == Never {
    fileprivate var asInt: Event<Int>? {
        switch self {
        case .error(let error): .error(error)
        case .completed: .completed
        }
    }
}

// Unchecked: used on its virtual scheduler's thread.
/// Retains the object of a `withUnretained`.
private final class Holder: @unchecked Sendable {
    final class Object {}

    var object: Object? = Object()
}

// Unchecked: used on its virtual scheduler's thread.
/// The resource of a `using`.
final class Resource: Disposable, @unchecked Sendable {
    private var onDispose: (() -> Void)?

    init(_ onDispose: @escaping () -> Void) {
        self.onDispose = onDispose
    }

    func dispose() {
        onDispose.take()?()
    }
}

extension Engine {
    private func watch(_ source: Observable<Int>, _ effects: SideEffects) -> Observable<Int> {
        let closures = closures(effects)
        return source.do(
            onNext: closures.onNext, afterNext: closures.afterNext, onError: closures.onError,
            afterError: closures.afterError, onCompleted: closures.onCompleted,
            afterCompleted: closures.afterCompleted, onSubscribe: closures.onSubscribe,
            onSubscribed: closures.onSubscribed, onDispose: closures.onDispose)
    }

    private func finally(_ id: Int, _ source: Observable<Int>) -> Observable<Int> {
        guard let note = closures(SideEffects(id: id, closures: [.onDispose])).onDispose else { return source }
        return source.doFinally(note)
    }

    /// The closures of a `do`.
    struct Closures {
        var onNext, afterNext: (@Sendable (Int) throws -> Void)?
        var onError, afterError: (@Sendable (any Error) throws -> Void)?
        var onCompleted, afterCompleted: (@Sendable () throws -> Void)?
        var onSubscribe, onSubscribed, onDispose: (@Sendable () -> Void)?
    }

    func closures(_ effects: SideEffects) -> Closures {
        let recorder = recorder
        let isUnseen = effects.isUnseen
        let note: @Sendable (Entry.Kind) -> Void = { if !isUnseen { recorder.note($0) } }
        func closure(_ callback: SideEffects.Callback) -> (@Sendable () -> Void)? {
            guard effects.closures.contains(callback) else { return nil }
            return { note(.effect(effects.id, callback, 0)) }
        }
        func end(_ callback: SideEffects.Callback, _ fails: Bool) -> (@Sendable () throws -> Void)? {
            guard effects.closures.contains(callback) else { return nil }
            return {
                note(.effect(effects.id, callback, 0))
                if fails { throw Failure(74) }
            }
        }
        func element(_ callback: SideEffects.Callback, _ throwsAt: Int?) -> (@Sendable (Int) throws -> Void)? {
            guard effects.closures.contains(callback) else { return nil }
            return {
                note(.effect(effects.id, callback, $0))
                if $0 == throwsAt { throw Failure(74) }
            }
        }
        func error(_ callback: SideEffects.Callback, _ fails: Bool) -> (@Sendable (any Error) throws -> Void)? {
            guard effects.closures.contains(callback) else { return nil }
            return {
                note(.effect(effects.id, callback, Failure.number(of: $0)))
                if fails { throw Failure(74) }
            }
        }
        return Closures(
            onNext: element(.onNext, effects.throwsAt), afterNext: element(.afterNext, nil),
            onError: error(.onError, effects.throwsAtEnd), afterError: error(.afterError, false),
            onCompleted: end(.onCompleted, effects.throwsAtEnd), afterCompleted: end(.afterCompleted, false),
            onSubscribe: closure(.onSubscribe), onSubscribed: closure(.onSubscribed), onDispose: closure(.onDispose))
    }
}
