import RxEngine
import RxEngineTest

extension Engine {
    /// An expression of a trait, as an observable.
    func typed(_ node: Node) -> Observable<Int> {
        switch node.trait {
        case .single: single(node).asObservable()
        case .maybe: maybe(node).asObservable()
        case .completable: completable(node).asObservable().asInt()
        case .infallible: infallible(node).asObservable()
        case .driver: sharedSequence(node, as: DriverSharingStrategy.self).asObservable()
        case .signal: sharedSequence(node, as: SignalSharingStrategy.self).asObservable()
        case nil: .never()
        }
    }

    func single(_ node: Node) -> Single<Int> {
        guard node.trait == .single else { return observable(node).asSingle() }
        switch node {
        case .one(.via(.maybe, .ifEmptyDefault(let value)), let source): return maybe(source).ifEmpty(default: value)
        case .one(.via(_, let name), let source): return one(name, single(source))
        case .two(.via(.completable, _), let first, let second): return completable(first).andThen(single(second))
        case .two(.via(.maybe, _), let first, let second): return maybe(first).ifEmpty(switchTo: single(second))
        case .two(.via(_, let name), let first, let second): return two(name, single(first), second, as: single)
        case .many(.via(_, .zip), let nodes): return zip(nodes.map(single))
        case .many(_, let nodes): return .zip(nodes.map(single)) { Model.digest($0) }
        case .each(_, let source, let choice):
            let nodes = choice.nodes.map(single)
            return single(source).flatMap { nodes[try choice.index($0)] }
        default: return .never()
        }
    }

    func maybe(_ node: Node) -> Maybe<Int> {
        guard node.trait == .maybe else { return observable(node).asMaybe() }
        switch node {
        case .one(.via(.single, .filter(let condition)), let source): return single(source).filter { try condition($0) }
        case .one(.via(.single, .compactMap(let condition, let function)), let source):
            return single(source).compactMap { try condition($0) ? try function($0) : nil }
        case .one(.via(.single, _), let source): return single(source).asMaybe()
        case .one(.via(_, let name), let source): return one(name, maybe(source))
        case .two(.via(.completable, _), let first, let second): return completable(first).andThen(maybe(second))
        case .two(.via(_, .ifEmptySwitch), let first, let second): return maybe(first).ifEmpty(switchTo: maybe(second))
        case .two(.via(_, let name), let first, let second): return two(name, maybe(first), second, as: maybe)
        case .many(_, let nodes): return zip(nodes.map(maybe))
        case .each(.traitFlatMap(.single, _), let source, let choice):
            let nodes = choice.nodes.map(maybe)
            return single(source).flatMapMaybe { nodes[try choice.index($0)] }
        case .each(_, let source, let choice):
            let nodes = choice.nodes.map(maybe)
            return maybe(source).flatMap { nodes[try choice.index($0)] }
        default: return .never()
        }
    }

    func completable(_ node: Node) -> Completable {
        guard node.trait == .completable else { return observable(node).ignoreElements().asCompletable() }
        switch node {
        case .one(.via(.single, _), let source): return single(source).asCompletable()
        case .one(.via(_, .do(let effects)), let source):
            let closures = closures(effects)
            return completable(source).do(
                onError: closures.onError, afterError: closures.afterError, onCompleted: closures.onCompleted,
                afterCompleted: closures.afterCompleted, onSubscribe: closures.onSubscribe,
                onSubscribed: closures.onSubscribed, onDispose: closures.onDispose)
        case .one(.via(_, let name), let source): return common(name, completable(source))
        case .two(.via(_, .andThenTrait), let first, let second):
            return completable(first).andThen(completable(second))
        case .two(.via(_, .concat), let first, let second): return completable(first).concat(completable(second))
        case .two(.via(_, let name), let first, let second):
            return two(name, completable(first), second, as: completable)
        case .many(.via(_, .concat), let nodes): return .concat(nodes.map(completable))
        case .many(_, let nodes): return .zip(nodes.map(completable))
        case .each(_, let source, let choice):
            let nodes = choice.nodes.map(completable)
            return single(source).flatMapCompletable { nodes[try choice.index($0)] }
        default: return .never()
        }
    }

    // MARK: - Operators

    private func one(_ name: OneSource, _ source: Single<Int>) -> Single<Int> {
        switch name {
        case .map(let function): return source.map { try function($0) }
        case .catchAndReturn(let value): return source.catchAndReturn(value)
        case .do(let effects):
            let closures = closures(effects)
            return source.do(
                onSuccess: closures.onNext, afterSuccess: closures.afterNext, onError: closures.onError,
                afterError: closures.afterError, onSubscribe: closures.onSubscribe,
                onSubscribed: closures.onSubscribed, onDispose: closures.onDispose)
        default: return common(name, source)
        }
    }

    private func one(_ name: OneSource, _ source: Maybe<Int>) -> Maybe<Int> {
        switch name {
        case .map(let function): return source.map { try function($0) }
        case .filter(let condition): return source.filter { try condition($0) }
        case .compactMap(let condition, let function):
            return source.compactMap { try condition($0) ? try function($0) : nil }
        case .catchAndReturn(let value): return source.catchAndReturn(value)
        case .do(let effects):
            let closures = closures(effects)
            return source.do(
                onNext: closures.onNext, afterNext: closures.afterNext, onError: closures.onError,
                afterError: closures.afterError, onCompleted: closures.onCompleted,
                afterCompleted: closures.afterCompleted, onSubscribe: closures.onSubscribe,
                onSubscribed: closures.onSubscribed, onDispose: closures.onDispose)
        default: return common(name, source)
        }
    }

    /// The operators of every trait.
    private func common<Kind, Element>(
        _ name: OneSource, _ source: PrimitiveSequence<Kind, Element>
    ) -> PrimitiveSequence<Kind, Element> {
        switch name {
        case .deferred(let fails):
            .deferred {
                if fails { throw Failure(70) }
                return source
            }
        case .using(let id, let fails):
            .using(
                { [recorder] in
                    if fails == .resource { throw Failure(75) }
                    recorder.note(.began(id))
                    return Resource { recorder.note(.disposed(id)) }
                },
                primitiveSequenceFactory: { _ in
                    if fails == .observable { throw Failure(76) }
                    return source
                })
        case .retry(let attempts): source.retry(attempts)
        case .delay(let ticks): source.delay(span(ticks), scheduler: scheduler)
        case .delaySubscription(let ticks): source.delaySubscription(span(ticks), scheduler: scheduler)
        case .timeout(let ticks): source.timeout(span(ticks), scheduler: scheduler)
        case .observeOn: source.observe(on: scheduler)
        case .subscribeOn: source.subscribe(on: scheduler)
        case .debug: source.debug("model")
        default: source
        }
    }

    private func two<Kind, Element>(
        _ name: TwoSources, _ first: PrimitiveSequence<Kind, Element>, _ second: Node,
        as make: (Node) -> PrimitiveSequence<Kind, Element>
    ) -> PrimitiveSequence<Kind, Element> {
        switch name {
        case .timeoutOther(let ticks): return first.timeout(span(ticks), other: make(second), scheduler: scheduler)
        case .catchHandler(let fails):
            let other = make(second)
            return first.catch { _ in
                if fails { throw Failure(77) }
                return other
            }
        case .retryWhen(let flatMap):
            let other = observable(second)
            return first.retry { (errors: Observable<any Error>) in flatMap ? errors.flatMap { _ in other } : other }
        default: return first
        }
    }

    private func zip(_ s: [Single<Int>]) -> Single<Int> {
        switch s.count {
        case 2: .zip(s[0], s[1]) { Model.digest([$0, $1]) }
        case 3: .zip(s[0], s[1], s[2]) { Model.digest([$0, $1, $2]) }
        case 4: .zip(s[0], s[1], s[2], s[3]) { Model.digest([$0, $1, $2, $3]) }
        case 5: .zip(s[0], s[1], s[2], s[3], s[4]) { Model.digest([$0, $1, $2, $3, $4]) }
        case 6: .zip(s[0], s[1], s[2], s[3], s[4], s[5]) { Model.digest([$0, $1, $2, $3, $4, $5]) }
        case 7: .zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { Model.digest([$0, $1, $2, $3, $4, $5, $6]) }
        case 8: .zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { Model.digest([$0, $1, $2, $3, $4, $5, $6, $7]) }
        default: .zip(s) { Model.digest($0) }
        }
    }

    private func zip(_ s: [Maybe<Int>]) -> Maybe<Int> {
        switch s.count {
        case 2: .zip(s[0], s[1]) { Model.digest([$0, $1]) }
        case 3: .zip(s[0], s[1], s[2]) { Model.digest([$0, $1, $2]) }
        case 4: .zip(s[0], s[1], s[2], s[3]) { Model.digest([$0, $1, $2, $3]) }
        case 5: .zip(s[0], s[1], s[2], s[3], s[4]) { Model.digest([$0, $1, $2, $3, $4]) }
        case 6: .zip(s[0], s[1], s[2], s[3], s[4], s[5]) { Model.digest([$0, $1, $2, $3, $4, $5]) }
        case 7: .zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { Model.digest([$0, $1, $2, $3, $4, $5, $6]) }
        case 8: .zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { Model.digest([$0, $1, $2, $3, $4, $5, $6, $7]) }
        default: .never()
        }
    }
}
