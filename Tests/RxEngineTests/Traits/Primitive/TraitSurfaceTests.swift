import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Every expression with the traits, as a program would write it: it is enough that this compiles.
private enum TraitSurface {
    final class Model {}

    enum Odd: Error {
        case one
    }

    static func single(_ scheduler: some SchedulerType, _ model: Model) {
        let single = Single<Int>.create { single in
            single(.success(1))
            return Disposables.create()
        }
        _ = Single<String>.create { observer in
            observer(.failure(Odd.one))
            return Disposables.create { print("gone") }
        }
        _ = Single.create { 1 }
        _ = Single.create(detached: true) { 1 }
        _ = Single.create(priority: .low) { try await single.value }
        _ = single.subscribe { event in
            switch event {
            case .success(let element): print(element)
            case .failure(let error): print(error)
            }
        }
        _ = single.subscribe()
        _ = single.subscribe(onSuccess: { print($0) })
        _ = single.subscribe(onSuccess: { print($0) }, onFailure: { print($0) }, onDisposed: {})
        _ = single.subscribe(with: model, onSuccess: { _, element in print(element) }, onFailure: { print($0, $1) })
        _ = single.subscribe(with: model, onSuccess: { _, _ in }, onDisposed: { _ in })
        let made: [Single<Int>] = [
            .just(1), .just(1, scheduler: scheduler), .error(Odd.one), .never(), Single.just(1),
            single.primitiveSequence,
        ]
        _ = Single.zip(made)
        _ = Single.zip(made) { $0.reduce(0, +) }
        _ = Single.zip(single, single)
        _ = Single.zip(single, single) { "\($0) \($1)" }
        _ = Single.zip(single, single, resultSelector: { $0 + $1 })
        let _: Single<String> = single.map(String.init).do(onSuccess: { print($0) }, onDispose: {})
        let _: Maybe<Int> = single.filter { $0 > 1 }
        let _: Maybe<Int> = single.compactMap { $0 > 1 ? $0 : nil }
        let _: Single<String> = single.flatMap { .just("\($0)") }
        let _: Single<String> = single.flatMap { number in
            print(number)
            return Single.just("\(number)")
        }
        let _: Maybe<String> = single.flatMapMaybe { .just("\($0)") }
        let _: Completable = single.flatMapCompletable { _ in .empty() }
        let _: Single<Int> = single.catchAndReturn(1)
        let _: Maybe<Int> = single.asMaybe()
        let _: Completable = single.asCompletable()
        let _: Observable<Int> = single.asObservable()
    }

    static func maybe(_ scheduler: some SchedulerType, _ model: Model) {
        let maybe = Maybe<Int>.create { maybe in
            maybe(.success(1))
            maybe(.completed)
            maybe(.error(Odd.one))
            return Disposables.create()
        }
        _ = maybe.subscribe { event in
            switch event {
            case .success(let element): print(element)
            case .error(let error): print(error)
            case .completed: print("none")
            }
        }
        _ = maybe.subscribe()
        _ = maybe.subscribe(onSuccess: { print($0) }, onError: { print($0) }, onCompleted: {}, onDisposed: {})
        _ = maybe.subscribe(onCompleted: {})
        _ = maybe.subscribe(
            with: model, onSuccess: { print($0, $1) }, onError: { print($0, $1) }, onCompleted: { print($0) },
            onDisposed: { print($0) })
        let _: [Maybe<Int>] = [.just(1), .just(1, scheduler: scheduler), .error(Odd.one), .never(), .empty()]
        _ = Maybe.zip(maybe, maybe)
        _ = Maybe.zip(maybe, maybe) { "\($0) \($1)" }
        let _: Maybe<String> = maybe.map(String.init).do(onNext: { print($0) }, onCompleted: {})
        let _: Maybe<Int> = maybe.filter { $0 > 1 }
        let _: Maybe<Int> = maybe.compactMap { $0 > 1 ? $0 : nil }
        let _: Maybe<String> = maybe.flatMap { .just("\($0)") }
        let _: Single<Int> = maybe.ifEmpty(default: 1)
        let _: Maybe<Int> = maybe.ifEmpty(switchTo: .empty())
        let _: Maybe<Int> = maybe.ifEmpty(switchTo: maybe)
        let _: Single<Int> = maybe.ifEmpty(switchTo: .just(1))
        let _: Maybe<Int> = maybe.catchAndReturn(1)
    }

    static func completable(_ model: Model) {
        let completable = Completable.create { completable in
            completable(.completed)
            completable(.error(Odd.one))
            return Disposables.create()
        }
        _ = completable.subscribe { event in
            switch event {
            case .error(let error): print(error)
            case .completed: print("done")
            }
        }
        _ = completable.subscribe()
        _ = completable.subscribe(onCompleted: {}, onError: { print($0) }, onDisposed: {})
        _ = completable.subscribe(
            with: model, onCompleted: { print($0) }, onError: { print($0, $1) }, onDisposed: { print($0) })
        let all: [Completable] = [.error(Odd.one), .never(), .empty(), completable.do(onCompleted: {})]
        let _: [Completable] = [
            completable.concat(.empty()), .concat(all), .concat(AnySequence(all)), .concat(completable, completable),
            .zip(all), .zip(Set([1]).map { _ in completable }), .zip(completable, completable),
            completable.andThen(completable), Completable.zip(completable, .empty()),
        ]
        let _: Single<Int> = completable.andThen(.just(1))
        let _: Maybe<Int> = completable.andThen(.empty())
        let _: Observable<Int> = completable.andThen(.of(1, 2))
        let _: Observable<Int> = completable.andThen(Observable.just(1))
    }

    static func common<Trait>(_ source: PrimitiveSequence<Trait, Int>, _ scheduler: some SchedulerType) {
        let _: [PrimitiveSequence<Trait, Int>] = [
            .deferred { source }, source.delay(.seconds(1), scheduler: scheduler),
            source.delaySubscription(.seconds(1), scheduler: scheduler), source.observe(on: scheduler),
            source.subscribe(on: scheduler), source.catch { _ in source }, source.catch { throw $0 }, source.retry(2),
            source.retry { (errors: Observable<Odd>) in errors }, source.retry { errors in errors },
            source.retry(when: { errors in errors.map { _ in } }), source.debug(), source.debug("source"),
            source.debug("source", trimOutput: true, file: "file", line: 1, function: "function"),
            .using({ BooleanDisposable() }, primitiveSequenceFactory: { _ in source }),
            source.timeout(.seconds(1), scheduler: scheduler),
            source.timeout(.seconds(1), other: source, scheduler: scheduler),
            .timer(.seconds(1), scheduler: scheduler),
        ]
        let _: Single<Int> = source.asObservable().asSingle()
        let _: Maybe<Int> = source.asObservable().asMaybe()
        let _: Completable = Observable<Never>.empty().asCompletable()
    }

    static func async() async throws {
        let _: Int = try await Single.just(1).value
        let _: Int? = try await Maybe.just(1).value
        let _: Void = try await Completable.empty().value
    }
}

/// The former names, called through a protocol, so that only the names themselves are deprecated.
private protocol FormerNames {
    func outcomes() -> [String]
}

private struct Former: FormerNames {
    @available(*, deprecated)
    func outcomes() -> [String] {
        let log = Cell<[String]>([])
        let scheduler = CurrentThreadScheduler.instance
        let error = TestError("e")
        let subscriptions = [
            Single.just(1).observeOn(scheduler).subscribe(onSuccess: { log.append("\($0)") }, onError: { _ in }),
            Single.just(2).subscribeOn(scheduler).subscribe(onSuccess: { log.append("\($0)") }),
            Single.error(error).catchError { _ in .just(3) }.subscribe(onSuccess: { log.append("\($0)") }),
            Single.error(error).catchErrorJustReturn(4).subscribe(onSuccess: { log.append("\($0)") }),
            Maybe.error(error).catchErrorJustReturn(5).subscribe(onSuccess: { log.append("\($0)") }),
            Single<Int>.error(error).retryWhen { (errors: Observable<TestError>) in
                errors.flatMap { Observable<Int>.error($0) }
            }
            .subscribe(onError: { log.append("\($0)") }),
            Single<Int>.error(error).retryWhen { errors in errors.flatMap { Observable<Int>.error($0) } }
                .subscribe(onSuccess: { log.append("\($0)") }, onError: { log.append("\($0)") }, onDisposed: {}),
        ]
        for subscription in subscriptions { subscription.dispose() }
        return log.value
    }
}

@Suite(.balanced) struct FormerTraitNamesTests {
    @Test func formerNamesBehaveLikeNewNames() {
        let names: any FormerNames = Former()
        #expect(names.outcomes() == ["1", "2", "3", "4", "5", "e", "e"])
    }
}
