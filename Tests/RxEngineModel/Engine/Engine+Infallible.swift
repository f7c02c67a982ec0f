import RxEngine
import RxEngineTest

extension Engine {
    func infallible(_ node: Node) -> Infallible<Int> {
        guard node.trait == .infallible else { return observable(node).asInfallible(onErrorJustReturn: Trait.standIn) }
        switch node {
        case .one(.via(_, let name), let source): return one(name, infallible(source))
        case .two(.via(_, .fallback), let first, let second):
            return observable(first).asInfallible(onErrorFallbackTo: infallible(second))
        case .two(.via(_, .recover), let first, let second):
            let other = infallible(second)
            return observable(first).asInfallible { _ in other }
        case .two(.via(_, let name), let first, let second): return two(name, infallible(first), second)
        case .many(.via(_, let name), let nodes): return many(name, nodes.map(infallible))
        case .each(.via(_, let name), let source, let choice): return each(name, infallible(source), choice)
        default: return .never()
        }
    }

    private func one(_ name: OneSource, _ source: Infallible<Int>) -> Infallible<Int> {
        switch name {
        // These closures cannot throw; the generator makes none that would.
        case .map(let function): source.map { (try? function($0)) ?? 0 }
        case .filter(let condition): source.filter { (try? condition($0)) ?? false }
        case .compactMap(let condition, let function):
            source.compactMap { (try? condition($0)) == true ? try? function($0) : nil }
        case .scan(let seed, _): source.scan(seed) { ($0 + $1) % 1000 }
        case .scanInto(let seed, _): source.scan(into: seed) { $0 = ($0 + $1) % 1000 }
        case .distinctUntilChanged: source.distinctUntilChanged()
        case .distinctByKey(let modulus, let throwsAt):
            source.distinctUntilChanged {
                try Model.check($0, throwsAt)
                return $0 % modulus
            }
        case .distinctByComparer(let throwsAt): source.distinctUntilChanged { try Model.areClose($0, $1, throwsAt) }
        case .distinctByKeyAndComparer(let modulus, let throwsAt):
            source.distinctUntilChanged(
                {
                    try Model.check($0, throwsAt)
                    return $0 % modulus
                }, comparer: { try Model.areClose($0, $1, nil) })
        case .startWith(let values): source.startWith(values[0])
        case .debug: source.debug("model")
        default: part(name, source)
        }
    }

    private func part(_ name: OneSource, _ source: Infallible<Int>) -> Infallible<Int> {
        switch name {
        case .take(let count): return source.take(count)
        case .takeFor(let ticks): return source.take(for: span(ticks), scheduler: scheduler)
        case .takeWhile(let condition, let inclusive):
            return source.take(while: { try condition($0) }, behavior: inclusive ? .inclusive : .exclusive)
        case .takeUntilPredicate(let condition, let inclusive):
            return source.take(until: { try condition($0) }, behavior: inclusive ? .inclusive : .exclusive)
        case .skip(let count): return source.skip(count)
        case .skipWhile(let condition): return source.skip(while: { try condition($0) })
        case .debounce(let ticks): return source.debounce(span(ticks), scheduler: scheduler)
        case .auditTime(let ticks): return source.auditTime(span(ticks), scheduler: scheduler)
        case .throttle(let ticks, let latest):
            return source.throttle(span(ticks), latest: latest, scheduler: scheduler)
        case .do(let effects):
            let closures = closures(effects)
            return source.do(
                onNext: closures.onNext, afterNext: closures.afterNext, onCompleted: closures.onCompleted,
                afterCompleted: closures.afterCompleted, onSubscribe: closures.onSubscribe,
                onSubscribed: closures.onSubscribed, onDispose: closures.onDispose)
        default: return source
        }
    }

    private func two(_ name: TwoSources, _ first: Infallible<Int>, _ second: Node) -> Infallible<Int> {
        switch name {
        case .takeUntil: first.take(until: observable(second))
        case .skipUntil: first.skip(until: observable(second))
        case .concat: first.concat(observable(second))
        case .withLatestFrom: first.withLatestFrom(infallible(second)) { Model.digest([$0, $1]) }
        case .withLatestFromThrowing(let value):
            first.withLatestFrom(infallible(second)) { try Model.digest([$0, $1], throwsAt: value) }
        default: first
        }
    }

    private func many(_ name: ManySources, _ s: [Infallible<Int>]) -> Infallible<Int> {
        switch name {
        case .merge: .merge(s)
        case .concat: .concat(s)
        case .zip: zip(s, nil)
        case .zipThrowing(let value): zip(s, value)
        case .zipCollection: .zip(s) { Model.digest($0) }
        case .zipCollectionThrowing(let value): .zip(s) { try Model.digest($0, throwsAt: value) }
        case .combineLatest: combineLatest(s, nil)
        case .combineLatestThrowing(let value): combineLatest(s, value)
        case .combineLatestCollection: .combineLatest(s) { Model.digest($0) }
        case .combineLatestCollectionThrowing(let value): .combineLatest(s) { try Model.digest($0, throwsAt: value) }
        default: .never()
        }
    }

    private func each(_ name: Flattening, _ source: Infallible<Int>, _ choice: Choice) -> Infallible<Int> {
        let nodes = choice.nodes.map(observable)
        let choose: @Sendable (Int) -> Observable<Int> = { nodes[abs($0) % nodes.count] }
        return switch name {
        case .flatMapFirst: source.flatMapFirst(choose)
        case .flatMapLatest: source.flatMapLatest(choose)
        case .concatMap: source.concatMap(choose)
        case .concatMapEager(let limit): source.concatMapEager(maxConcurrent: limit, choose)
        default: source.flatMap(choose)
        }
    }

    private func zip(_ s: [Infallible<Int>], _ at: Int?) -> Infallible<Int> {
        let digest: @Sendable (Int...) throws -> Int = { try Model.digest($0, throwsAt: at) }
        return switch s.count {
        case 2: .zip(s[0], s[1]) { try digest($0, $1) }
        case 3: .zip(s[0], s[1], s[2]) { try digest($0, $1, $2) }
        case 4: .zip(s[0], s[1], s[2], s[3]) { try digest($0, $1, $2, $3) }
        case 5: .zip(s[0], s[1], s[2], s[3], s[4]) { try digest($0, $1, $2, $3, $4) }
        case 6: .zip(s[0], s[1], s[2], s[3], s[4], s[5]) { try digest($0, $1, $2, $3, $4, $5) }
        case 7: .zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { try digest($0, $1, $2, $3, $4, $5, $6) }
        case 8: .zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { try digest($0, $1, $2, $3, $4, $5, $6, $7) }
        default: .never()
        }
    }

    private func combineLatest(_ s: [Infallible<Int>], _ at: Int?) -> Infallible<Int> {
        let digest: @Sendable (Int...) throws -> Int = { try Model.digest($0, throwsAt: at) }
        return switch s.count {
        case 2: .combineLatest(s[0], s[1]) { try digest($0, $1) }
        case 3: .combineLatest(s[0], s[1], s[2]) { try digest($0, $1, $2) }
        case 4: .combineLatest(s[0], s[1], s[2], s[3]) { try digest($0, $1, $2, $3) }
        case 5: .combineLatest(s[0], s[1], s[2], s[3], s[4]) { try digest($0, $1, $2, $3, $4) }
        case 6: .combineLatest(s[0], s[1], s[2], s[3], s[4], s[5]) { try digest($0, $1, $2, $3, $4, $5) }
        case 7: .combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { try digest($0, $1, $2, $3, $4, $5, $6) }
        case 8:
            .combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) {
                try digest($0, $1, $2, $3, $4, $5, $6, $7)
            }
        default: .never()
        }
    }
}
