extension Generator {
    /// An expression with operators of a trait, often upon others of the same trait.
    mutating func traitNode(depth: Int) -> Node {
        switch random.below(6) {
        case 0: singleNode(depth)
        case 1: maybeNode(depth)
        case 2: completableNode(depth)
        case 3: sharedNode(depth, .driver)
        case 4: sharedNode(depth, .signal)
        default: infallibleNode(depth)
        }
    }

    mutating func below(_ depth: Int, _ make: (inout Generator, Int) -> Node) -> Node {
        depth > 1 && random.once(in: 2) ? make(&self, depth - 1) : node(depth: depth - 1)
    }

    mutating func nodes(_ depth: Int, _ name: ManySources) -> Node {
        let count = name.isFixed ? 2 + random.below(random.once(in: 2) ? 7 : 2) : random.below(4)
        return .many(name, (0..<count).map { _ in node(depth: shallower(depth)) })
    }

    private mutating func singleNode(_ depth: Int) -> Node {
        switch random.below(10) {
        case 0: return nodes(depth, .via(.single, random.once(in: 4) ? .zipCollection : .zip))
        case 1:
            return .two(.via(.single, commonTwo()), below(depth) { $0.singleNode($1) }, node(depth: shallower(depth)))
        case 2, 3:
            let to = random.pick([Trait.single, .single, .maybe, .completable])
            return .each(
                .traitFlatMap(from: .single, to: to), below(depth) { $0.singleNode($1) }, traitChoice(depth, to))
        default:
            let name: OneSource =
                switch random.below(8) {
                case 0: .map(function())
                case 1: .catchAndReturn(small())
                case 2: .do(effects(without: [.onCompleted, .afterCompleted]))
                case 3: .filter(condition())
                case 4: .compactMap(condition(), function())
                case 5: random.once(in: 2) ? .asMaybe : .asCompletable
                default: common()
                }
            return .one(.via(.single, name), below(depth) { $0.singleNode($1) })
        }
    }

    private mutating func maybeNode(_ depth: Int) -> Node {
        switch random.below(10) {
        case 0: return nodes(depth, .via(.maybe, .zip))
        case 1, 2:
            let name = random.pick([TwoSources.ifEmptySwitch, .ifEmptySwitchSingle, commonTwo()])
            return .two(.via(.maybe, name), below(depth) { $0.maybeNode($1) }, node(depth: shallower(depth)))
        case 3:
            return .each(
                .traitFlatMap(from: .maybe, to: .maybe), below(depth) { $0.maybeNode($1) }, traitChoice(depth, .maybe))
        default:
            let name: OneSource =
                switch random.below(8) {
                case 0: .map(function())
                case 1: .catchAndReturn(small())
                case 2: .do(effects(without: []))
                case 3: .filter(condition())
                case 4: .compactMap(condition(), function())
                case 5: .ifEmptyDefault(small())
                default: common()
                }
            return .one(.via(.maybe, name), below(depth) { $0.maybeNode($1) })
        }
    }

    private mutating func completableNode(_ depth: Int) -> Node {
        switch random.below(8) {
        case 0: return nodes(depth, .via(.completable, random.once(in: 2) ? .concat : .merge))
        case 1...3:
            let name = random.pick([
                TwoSources.andThenTrait(.single), .andThenTrait(.maybe), .andThenTrait(.completable), .concat,
                commonTwo(),
            ])
            return .two(
                .via(.completable, name), below(depth) { $0.completableNode($1) }, node(depth: shallower(depth)))
        default:
            let name: OneSource = random.once(in: 3) ? .do(effects(without: [.onNext, .afterNext])) : common()
            return .one(.via(.completable, name), below(depth) { $0.completableNode($1) })
        }
    }

    private mutating func infallibleNode(_ depth: Int) -> Node {
        switch random.below(10) {
        case 0, 4:
            return nodes(depth, .via(.infallible, nonfailingMany()))
        case 1:
            let name = random.pick([
                TwoSources.takeUntil, .skipUntil, .concat, .withLatestFrom, .withLatestFromThrowing(small()),
            ])
            return .two(.via(.infallible, name), below(depth) { $0.infallibleNode($1) }, node(depth: shallower(depth)))
        case 2:
            let name = random.once(in: 2) ? TwoSources.fallback : .recover
            return .two(.via(.infallible, name), node(depth: depth - 1), node(depth: shallower(depth)))
        case 3:
            let name = random.pick([Flattening.flatMap, .flatMapFirst, .flatMapLatest, .concatMap, .concatMapEager(2)])
            let choices = (0..<1 + random.below(3)).map { _ in node(depth: shallower(depth)) }
            return .each(.via(.infallible, name), below(depth) { $0.infallibleNode($1) }, Choice(choices))
        default: return .one(.via(.infallible, infallibleOne()), below(depth) { $0.infallibleNode($1) })
        }
    }

    private mutating func traitChoice(_ depth: Int, _ trait: Trait) -> Choice {
        let choices = (0..<1 + random.below(3)).map { _ -> Node in
            let depth = shallower(depth)
            guard depth > 0, random.once(in: 2) else { return node(depth: depth) }
            return switch trait {
            case .single: singleNode(depth)
            case .maybe: maybeNode(depth)
            default: completableNode(depth)
            }
        }
        return Choice(choices, throwsAt: random.once(in: 6) ? small() : nil)
    }

    /// An operator that every trait has.
    private mutating func common() -> OneSource {
        switch random.below(9) {
        case 0: .deferred(throws: random.once(in: 6))
        case 1: .using(id: id(), random.pick([.nothing, .nothing, .resource, .observable]))
        case 2: .retry(1 + random.below(3))
        case 3: .delay(span())
        case 4: .delaySubscription(span())
        case 5: .timeout(span())
        case 6: .observeOn
        case 7: .subscribeOn
        default: .debug
        }
    }

    private mutating func commonTwo() -> TwoSources {
        switch random.below(3) {
        case 0: .timeoutOther(span())
        case 1: isSharing ? .catchHandler(throws: false) : .retryWhen(flatMap: random.once(in: 2))
        default: .catchHandler(throws: random.once(in: 5))
        }
    }

    /// A `do` that has no closures for what the trait does not know, and throws at no completion.
    mutating func effects(without missing: Set<SideEffects.Callback>) -> SideEffects {
        var effects = effects()
        effects.closures.subtract(missing)
        effects.throwsAtEnd = false
        return effects
    }

    private mutating func infallibleOne() -> OneSource {
        switch random.below(16) {
        case 0: .map(Function(kind: function().kind))
        case 1: .filter(Condition(kind: condition().kind))
        case 2: .compactMap(Condition(kind: condition().kind), Function(kind: function().kind))
        case 3: random.once(in: 2) ? .scan(small()) : .scanInto(small())
        case 4, 5: distinct()
        case 6: .startWith([small()])
        case 7: .debug
        case 8: .take(random.below(4))
        case 9: .takeFor(span())
        case 10: .takeWhile(condition(), inclusive: random.once(in: 2))
        case 11: .takeUntilPredicate(condition(), inclusive: random.once(in: 2))
        case 12: random.once(in: 2) ? .skip(random.below(3)) : .skipWhile(condition())
        case 13: random.once(in: 2) ? .debounce(span()) : .auditTime(span())
        case 14: .throttle(span(), latest: random.once(in: 2))
        default: .do(effects(without: [.onError, .afterError]))
        }
    }
}
