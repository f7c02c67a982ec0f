import RxEngine
import RxEngineTest

/// How a sequence becomes a `Driver` or a `Signal`.
protocol ModelSharingStrategy: SharingStrategyProtocol {
    static var trait: Trait { get }
    static func convert(_ source: Observable<Int>, onErrorJustReturn: Int) -> SharedSequence<Self, Int>
    static func convert(
        _ source: Observable<Int>, onErrorContinueWith: SharedSequence<Self, Int>
    ) -> SharedSequence<Self, Int>
    static func convert(
        _ source: Observable<Int>, onErrorRecover: @escaping @Sendable (any Error) -> SharedSequence<Self, Int>
    ) -> SharedSequence<Self, Int>
}

extension DriverSharingStrategy: ModelSharingStrategy {
    static var trait: Trait { .driver }

    static func convert(_ source: Observable<Int>, onErrorJustReturn element: Int) -> Driver<Int> {
        source.asDriver(onErrorJustReturn: element)
    }

    static func convert(_ source: Observable<Int>, onErrorContinueWith other: Driver<Int>) -> Driver<Int> {
        source.asDriver(onErrorDriveWith: other)
    }

    static func convert(
        _ source: Observable<Int>, onErrorRecover: @escaping @Sendable (any Error) -> Driver<Int>
    ) -> Driver<Int> {
        source.asDriver(onErrorRecover: onErrorRecover)
    }
}

extension SignalSharingStrategy: ModelSharingStrategy {
    static var trait: Trait { .signal }

    static func convert(_ source: Observable<Int>, onErrorJustReturn element: Int) -> Signal<Int> {
        source.asSignal(onErrorJustReturn: element)
    }

    static func convert(_ source: Observable<Int>, onErrorContinueWith other: Signal<Int>) -> Signal<Int> {
        source.asSignal(onErrorSignalWith: other)
    }

    static func convert(
        _ source: Observable<Int>, onErrorRecover: @escaping @Sendable (any Error) -> Signal<Int>
    ) -> Signal<Int> {
        source.asSignal(onErrorRecover: onErrorRecover)
    }
}

extension Engine {
    /// An expression as a `Driver` or `Signal`.
    func sharedSequence<Strategy: ModelSharingStrategy>(
        _ node: Node, as strategy: Strategy.Type
    ) -> SharedSequence<Strategy, Int> {
        guard node.trait == Strategy.trait else {
            return Strategy.convert(observable(node), onErrorJustReturn: Trait.standIn)
        }
        let make = { (node: Node) in self.sharedSequence(node, as: strategy) }
        switch node {
        case .source(.via(_, let source)): return self.source(source)
        case .one(.via(_, let name), let source): return one(name, make(source))
        case .two(.via(_, .fallback), let first, let second):
            return Strategy.convert(observable(first), onErrorContinueWith: make(second))
        case .two(.via(_, .recover), let first, let second):
            let other = make(second)
            return Strategy.convert(observable(first)) { _ in other }
        case .two(.via(_, let name), let first, let second):
            return second.sharedTrait(or: Strategy.trait) == .driver
                ? two(name, make(first), sharedSequence(second, as: DriverSharingStrategy.self))
                : two(name, make(first), sharedSequence(second, as: SignalSharingStrategy.self))
        case .many(.via(_, let name), let nodes): return many(name, nodes.map(make))
        case .each(.via(_, let name), let source, let choice):
            return source.sharedTrait(or: Strategy.trait) == .driver
                ? each(name, sharedSequence(source, as: DriverSharingStrategy.self), choice)
                : each(name, sharedSequence(source, as: SignalSharingStrategy.self), choice)
        default: return .never()
        }
    }

    // MARK: - Operators

    private func source<Strategy>(_ source: Source) -> SharedSequence<Strategy, Int> {
        switch source {
        case .just(let value): .just(value)
        case .empty: .empty()
        case .optional(let value): .from(optional: value)
        case .of(let values) where values.count == 2: .of(values[0], values[1])
        case .of(let values): .from(values)
        case .from(let values): .from(AnySequence(values))
        case .ticks(let due, let period): .timer(span(due), period: span(period))
        case .interval(let period): .interval(span(period))
        default: .never()
        }
    }

    private func one<Strategy>(
        _ name: OneSource, _ source: SharedSequence<Strategy, Int>
    ) -> SharedSequence<Strategy, Int> {
        switch name {
        // These closures cannot throw; the generator makes none that would.
        case .map(let function): return source.map { (try? function($0)) ?? 0 }
        case .filter(let condition): return source.filter { (try? condition($0)) ?? false }
        case .compactMap(let condition, let function):
            return source.compactMap { (try? condition($0)) == true ? try? function($0) : nil }
        case .scan(let seed, _): return source.scan(seed) { ($0 + $1) % 1000 }
        case .distinctUntilChanged: return source.distinctUntilChanged()
        case .distinctByKey(let modulus, _): return source.distinctUntilChanged { $0 % modulus }
        case .distinctByComparer: return source.distinctUntilChanged { abs($0 - $1) < 2 }
        case .distinctByKeyAndComparer(let modulus, _):
            return source.distinctUntilChanged({ $0 % modulus }, comparer: { abs($0 - $1) < 2 })
        case .skip(let count): return source.skip(count)
        case .startWith(let values): return source.startWith(values[0])
        case .debounce(let ticks): return source.debounce(span(ticks))
        case .auditTime(let ticks): return source.auditTime(span(ticks))
        case .throttle(let ticks, let latest): return source.throttle(span(ticks), latest: latest)
        case .delay(let ticks): return source.delay(span(ticks))
        case .deferred: return .deferred { source }
        case .debug: return source.debug("model")
        case .do(let effects):
            let closures = closures(effects)
            return source.do(
                onNext: closures.onNext.map(nonthrowing), afterNext: closures.afterNext.map(nonthrowing),
                onCompleted: closures.onCompleted.map(nonthrowing),
                afterCompleted: closures.afterCompleted.map(nonthrowing), onSubscribe: closures.onSubscribe,
                onSubscribed: closures.onSubscribed, onDispose: closures.onDispose)
        default: return source.asSharedSequence()
        }
    }

    private func nonthrowing<each Value>(
        _ body: @escaping @Sendable (repeat each Value) throws -> Void
    ) -> @Sendable (repeat each Value) -> Void {
        { (value: repeat each Value) in try? body(repeat each value) }
    }

    private func two<Strategy, Second>(
        _ name: TwoSources, _ first: SharedSequence<Strategy, Int>, _ second: SharedSequence<Second, Int>
    ) -> SharedSequence<Strategy, Int> {
        first.withLatestFrom(second) { Model.digest([$0, $1]) }
    }

    private func many<Strategy>(
        _ name: ManySources, _ sources: [SharedSequence<Strategy, Int>]
    ) -> SharedSequence<Strategy, Int> {
        switch name {
        case .merge: .merge(sources)
        case .concat: .concat(sources)
        case .zip: zip(sources, nil)
        case .zipThrowing(let value): zip(sources, value)
        case .zipCollection: .zip(sources) { Model.digest($0) }
        case .zipCollectionThrowing(let value): .zip(sources) { try Model.digest($0, throwsAt: value) }
        case .combineLatest: combineLatest(sources, nil)
        case .combineLatestThrowing(let value): combineLatest(sources, value)
        case .combineLatestCollection: .combineLatest(sources) { Model.digest($0) }
        case .combineLatestCollectionThrowing(let value):
            .combineLatest(sources) { try Model.digest($0, throwsAt: value) }
        default: .never()
        }
    }

    private func each<Strategy, Result: ModelSharingStrategy>(
        _ name: Flattening, _ source: SharedSequence<Strategy, Int>, _ choice: Choice
    ) -> SharedSequence<Result, Int> {
        let nodes = choice.nodes.map { sharedSequence($0, as: Result.self) }
        let choose: @Sendable (Int) -> SharedSequence<Result, Int> = { nodes[abs($0) % nodes.count] }
        return switch name {
        case .flatMapFirst: source.flatMapFirst(choose)
        case .flatMapLatest: source.flatMapLatest(choose)
        case .mapMerge: source.map(choose).merge()
        case .mapMergeLimited(let limit): source.map(choose).merge(maxConcurrent: limit)
        case .mapSwitchLatest: source.map(choose).switchLatest()
        default: source.flatMap(choose)
        }
    }

    private func zip<Strategy>(_ s: [SharedSequence<Strategy, Int>], _ at: Int?) -> SharedSequence<Strategy, Int> {
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

    private func combineLatest<Strategy>(
        _ s: [SharedSequence<Strategy, Int>], _ at: Int?
    ) -> SharedSequence<Strategy, Int> {
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
