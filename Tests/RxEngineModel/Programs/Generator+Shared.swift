extension Generator {
    /// An expression with operators of a `Driver` or `Signal`, often upon others of the same.
    mutating func sharedNode(_ depth: Int, _ trait: Trait) -> Node {
        switch random.below(12) {
        case 0: return .source(.via(trait, sharedSource()))
        case 1: return nodes(depth, .via(trait, nonfailingMany()))
        case 2:
            return .two(
                .via(trait, .withLatestFrom), below(depth) { $0.sharedNode($1, trait) },
                below(depth) { $0.sharedNode($1, $0.random.pick(Trait.shared)) })
        case 3:
            let name = random.once(in: 2) ? TwoSources.fallback : .recover
            return .two(.via(trait, name), node(depth: depth - 1), below(depth) { $0.sharedNode($1, trait) })
        case 4, 5:
            let name = random.pick([
                Flattening.flatMap, .flatMapFirst, .flatMapLatest, .mapMerge, .mapMergeLimited(1 + random.below(2)),
                .mapSwitchLatest,
            ])
            let choices = (0..<1 + random.below(3)).map { _ in below(depth) { $0.sharedNode($1, trait) } }
            return .each(
                .via(trait, name), below(depth) { $0.sharedNode($1, $0.random.pick(Trait.shared)) }, Choice(choices))
        default: return .one(.via(trait, sharedOne()), below(depth) { $0.sharedNode($1, trait) })
        }
    }

    private mutating func sharedSource() -> Source {
        switch random.below(8) {
        case 0: .just(small())
        case 1: .empty
        case 2: .never
        case 3: .optional(random.once(in: 2) ? small() : nil)
        case 4: .of((0..<random.below(4)).map { _ in small() })
        case 5: .from((0..<random.below(4)).map { _ in small() })
        case 6: .ticks(span(), period: 1 + span())
        default: .interval(1 + span())
        }
    }

    /// An operator that traits without errors have.
    mutating func nonfailingMany() -> ManySources {
        let value = small()
        return random.pick([
            .merge, .concat, .zip, .zip, .zipCollection, .combineLatest, .combineLatest, .combineLatestCollection,
            .zipThrowing(value), .zipThrowing(value), .zipCollectionThrowing(value), .combineLatestThrowing(value),
            .combineLatestCollectionThrowing(value),
        ])
    }

    private mutating func sharedOne() -> OneSource {
        switch random.below(16) {
        case 0: .map(Function(kind: function().kind))
        case 1: .filter(Condition(kind: condition().kind))
        case 2: .compactMap(Condition(kind: condition().kind), Function(kind: function().kind))
        case 3: .scan(small())
        case 4: .distinctUntilChanged
        case 5: .distinctByKey(1 + random.below(3))
        case 6: random.once(in: 2) ? .distinctByComparer() : .distinctByKeyAndComparer(2 + random.below(4))
        case 7: .skip(random.below(3))
        case 8: .startWith([small()])
        case 9: .debounce(span())
        case 10: .throttle(span(), latest: random.once(in: 2))
        case 11: random.once(in: 2) ? .delay(span()) : .auditTime(span())
        case 12: random.once(in: 2) ? .deferred(throws: false) : .debug
        case 13: .asObservable
        default: .do(nonthrowingEffects())
        }
    }

    private mutating func nonthrowingEffects() -> SideEffects {
        var effects = effects(without: [.onError, .afterError])
        effects.throwsAt = nil
        return effects
    }
}
