import RxEngine
import RxEngineTest

extension Engine {
    func two(_ name: TwoSources, _ first: Observable<Int>, _ second: Observable<Int>) -> Observable<Int> {
        switch name {
        case .takeUntil: first.take(until: second)
        case .skipUntil: first.skip(until: second)
        case .sample(let standIn): first.sample(second, defaultValue: standIn)
        case .withLatestFrom: first.withLatestFrom(second) { Model.digest([$0, $1]) }
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
        case .andThen: first.ignoreElements().asCompletable().andThen(second)
        }
    }

    func many(_ name: ManySources, _ sources: [Observable<Int>]) -> Observable<Int> {
        switch name {
        case .combineLatest: combineLatest(sources)
        case .combineLatestCollection: .combineLatest(sources) { Model.digest($0) }
        case .zip: zip(sources)
        case .zipCollection: .zip(sources) { Model.digest($0) }
        case .merge: .merge(sources)
        case .concat: .concat(sources)
        case .amb: .amb(sources)
        case .catchSequence: .catch(sequence: sources)
        }
    }

    func each(_ name: Flattening, _ source: Observable<Int>, _ choice: Choice) -> Observable<Int> {
        let nodes = choice.nodes.map(observable)
        let choose: @Sendable (Int) throws -> Observable<Int> = { nodes[try choice.index($0)] }
        return switch name {
        case .flatMap: source.flatMap(choose)
        case .flatMapFirst: source.flatMapFirst(choose)
        case .flatMapLatest: source.flatMapLatest(choose)
        case .concatMap: source.concatMap(choose)
        case .mapMerge: source.map(choose).merge()
        case .mapMergeLimited(let limit): source.map(choose).merge(maxConcurrent: limit)
        case .mapConcat: source.map(choose).concat()
        case .mapSwitchLatest: source.map(choose).switchLatest()
        }
    }

    private func combineLatest(_ s: [Observable<Int>]) -> Observable<Int> {
        switch s.count {
        case 2: .combineLatest(s[0], s[1]) { Model.digest([$0, $1]) }
        case 3: .combineLatest(s[0], s[1], s[2]) { Model.digest([$0, $1, $2]) }
        case 4: .combineLatest(s[0], s[1], s[2], s[3]) { Model.digest([$0, $1, $2, $3]) }
        case 5: .combineLatest(s[0], s[1], s[2], s[3], s[4]) { Model.digest([$0, $1, $2, $3, $4]) }
        case 6: .combineLatest(s[0], s[1], s[2], s[3], s[4], s[5]) { Model.digest([$0, $1, $2, $3, $4, $5]) }
        case 7:
            .combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { Model.digest([$0, $1, $2, $3, $4, $5, $6]) }
        case 8:
            .combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) {
                Model.digest([$0, $1, $2, $3, $4, $5, $6, $7])
            }
        default: .combineLatest(s) { Model.digest($0) }
        }
    }

    private func zip(_ s: [Observable<Int>]) -> Observable<Int> {
        switch s.count {
        case 2: .zip(s[0], s[1]) { Model.digest([$0, $1]) }
        case 3: .zip(s[0], s[1], s[2]) { Model.digest([$0, $1, $2]) }
        case 4: .zip(s[0], s[1], s[2], s[3]) { Model.digest([$0, $1, $2, $3]) }
        case 5: .zip(s[0], s[1], s[2], s[3], s[4]) { Model.digest([$0, $1, $2, $3, $4]) }
        case 6: .zip(s[0], s[1], s[2], s[3], s[4], s[5]) { Model.digest([$0, $1, $2, $3, $4, $5]) }
        case 7: .zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { Model.digest([$0, $1, $2, $3, $4, $5, $6]) }
        case 8:
            .zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { Model.digest([$0, $1, $2, $3, $4, $5, $6, $7]) }
        default: .zip(s) { Model.digest($0) }
        }
    }
}
