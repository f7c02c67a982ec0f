import RxEngine
import RxEngineTest

extension Engine {
    func two(_ name: TwoSources, _ first: Observable<Int>, _ second: Observable<Int>) -> Observable<Int> {
        switch name {
        case .takeUntil: first.take(until: second)
        case .skipUntil: first.skip(until: second)
        case .sample(let standIn): first.sample(second, defaultValue: standIn)
        case .sequenceEqual: first.sequenceEqual(second).asObservable().map { $0 ? 1 : 0 }
        case .zipLongest: .zip(longest: first, second) { Model.digest([$0 ?? -1, $1 ?? -1]) }
        case .pausable: first.pausable(second.map { $0.isMultiple(of: 2) })
        case .pausableBuffered(let limit, let overflow):
            first.pausableBuffered(second.map { $0.isMultiple(of: 2) }, limit: limit, overflow: overflow.rule)
        case .bufferUntil: first.buffer(until: second).map(Model.digest)
        case .windowUntil(let flattening): flatten(first.window(until: second), flattening)
        case .mergeDelayError: .mergeDelayError(first, second)
        case .concatDelayError: .concatDelayError(first, second)
        case .withLatestFrom: first.withLatestFrom(second) { Model.digest([$0, $1]) }
        case .withLatestFromThrowing(let value):
            first.withLatestFrom(second) { try Model.digest([$0, $1], throwsAt: value) }
        case .amb: first.amb(second)
        case .concat: first.concat(second)
        case .ifEmptySwitch: first.ifEmpty(switchTo: second)
        case .timeoutOther(let ticks): first.timeout(span(ticks), other: second, scheduler: scheduler)
        case .catchHandler(let fails):
            first.catch { _ in
                if fails { throw Failure(77) }
                return second
            }
        case .retryWhen(let flatMap):
            first.retry { (errors: Observable<any Error>) in flatMap ? errors.flatMap { _ in second } : second }
        case .retryWhenTyped: first.retry { (errors: Observable<Failure>) in errors.flatMap { _ in second } }
        case .repeatWhen(let flatMap):
            first.repeat { completions in flatMap ? completions.flatMap { second } : second }
        case .andThen: first.ignoreElements().asCompletable().andThen(second)
        // Of traits: see `Engine+Traits.swift`.
        case .andThenTrait, .ifEmptySwitchSingle, .fallback, .recover, .via: first
        }
    }

    func many(_ name: ManySources, _ sources: [Observable<Int>]) -> Observable<Int> {
        switch name {
        case .combineLatest: combineLatest(sources, nil)
        case .combineLatestThrowing(let value): combineLatest(sources, value)
        case .combineLatestCollectionThrowing(let value):
            .combineLatest(sources) { try Model.digest($0, throwsAt: value) }
        case .zipThrowing(let value): zip(sources, value)
        case .zipCollectionThrowing(let value): .zip(sources) { try Model.digest($0, throwsAt: value) }
        case .combineLatestCollection: .combineLatest(sources) { Model.digest($0) }
        case .zip: zip(sources, nil)
        case .zipCollection: .zip(sources) { Model.digest($0) }
        case .zipLongestCollection: .zip(longest: sources) { Model.digest($0.map { $0 ?? -1 }) }
        case .combineLatestDelayError: .combineLatestDelayError(sources) { Model.digest($0) }
        case .concatEager: .concatEager(sources)
        case .merge: .merge(sources)
        case .concat: .concat(sources)
        case .amb: .amb(sources)
        case .catchSequence: .catch(sequence: sources)
        case .via: .merge(sources)
        }
    }

    func each(_ name: Flattening, _ source: Observable<Int>, _ choice: Choice) -> Observable<Int> {
        let nodes = choice.nodes.map(observable)
        let choose: @Sendable (Int) throws -> Observable<Int> = { nodes[try choice.index($0)] }
        return switch name {
        case .flatMap, .traitFlatMap, .via: source.flatMap(choose)
        case .flatMapFirst: source.flatMapFirst(choose)
        case .flatMapLatest: source.flatMapLatest(choose)
        case .concatMap: source.concatMap(choose)
        case .concatMapEager(let limit): source.concatMapEager(maxConcurrent: limit, choose)
        case .mapMerge: source.map(choose).merge()
        case .mapMergeLimited(let limit): source.map(choose).merge(maxConcurrent: limit)
        case .flatMapLimited(let limit): source.flatMap(maxConcurrent: limit, choose)
        case .expandTwice: source.expandTwice(choose)
        case .mapConcat: source.map(choose).concat()
        case .mapSwitchLatest: source.map(choose).switchLatest()
        }
    }

    private func combineLatest(_ s: [Observable<Int>], _ throwsAt: Int?) -> Observable<Int> {
        switch s.count {
        case 2: .combineLatest(s[0], s[1]) { try Model.digest([$0, $1], throwsAt: throwsAt) }
        case 3: .combineLatest(s[0], s[1], s[2]) { try Model.digest([$0, $1, $2], throwsAt: throwsAt) }
        case 4: .combineLatest(s[0], s[1], s[2], s[3]) { try Model.digest([$0, $1, $2, $3], throwsAt: throwsAt) }
        case 5:
            .combineLatest(s[0], s[1], s[2], s[3], s[4]) { try Model.digest([$0, $1, $2, $3, $4], throwsAt: throwsAt) }
        case 6:
            .combineLatest(s[0], s[1], s[2], s[3], s[4], s[5]) {
                try Model.digest([$0, $1, $2, $3, $4, $5], throwsAt: throwsAt)
            }
        case 7:
            .combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) {
                try Model.digest([$0, $1, $2, $3, $4, $5, $6], throwsAt: throwsAt)
            }
        case 8:
            .combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) {
                try Model.digest([$0, $1, $2, $3, $4, $5, $6, $7], throwsAt: throwsAt)
            }
        default: .combineLatest(s) { try Model.digest($0, throwsAt: throwsAt) }
        }
    }

    private func zip(_ s: [Observable<Int>], _ throwsAt: Int?) -> Observable<Int> {
        switch s.count {
        case 2: .zip(s[0], s[1]) { try Model.digest([$0, $1], throwsAt: throwsAt) }
        case 3: .zip(s[0], s[1], s[2]) { try Model.digest([$0, $1, $2], throwsAt: throwsAt) }
        case 4: .zip(s[0], s[1], s[2], s[3]) { try Model.digest([$0, $1, $2, $3], throwsAt: throwsAt) }
        case 5: .zip(s[0], s[1], s[2], s[3], s[4]) { try Model.digest([$0, $1, $2, $3, $4], throwsAt: throwsAt) }
        case 6:
            .zip(s[0], s[1], s[2], s[3], s[4], s[5]) { try Model.digest([$0, $1, $2, $3, $4, $5], throwsAt: throwsAt) }
        case 7:
            .zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) {
                try Model.digest([$0, $1, $2, $3, $4, $5, $6], throwsAt: throwsAt)
            }
        case 8:
            .zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) {
                try Model.digest([$0, $1, $2, $3, $4, $5, $6, $7], throwsAt: throwsAt)
            }
        default: .zip(s) { try Model.digest($0, throwsAt: throwsAt) }
        }
    }
}

extension TwoSources.Overflow {
    fileprivate var rule: OverflowRule {
        switch self {
        case .dropOldest: .dropOldest
        case .dropNewest: .dropNewest
        case .latest: .latest
        case .error: .error
        }
    }
}

extension Observable<Int> {
    /// Expands each element down to its second generation.
    fileprivate func expandTwice(_ choose: @escaping @Sendable (Int) throws -> Observable<Int>) -> Observable<Int> {
        map { (value: $0, depth: 0) }
            .expand { element in
                guard element.depth < 2 else { return .empty() }
                return try choose(element.value).map { ($0, element.depth + 1) }
            }
            .map { $0.value }
    }
}
