// The meaning of a `Driver` and a `Signal`: the operators of `Observable`, each of which has a shared result. Both the
// model and a law use it.

extension Node {
    /// The expression with operators of `Observable` in place of those of a `Driver` or `Signal`, throughout.
    package var withoutSharedTraits: Node {
        let node = withoutSharedTrait
        return node.with(children: node.children.map(\.withoutSharedTraits))
    }

    /// The same expression if it is not of a `Driver` or `Signal`; otherwise its meaning, with expressions of traits in
    /// it.
    var withoutSharedTrait: Node {
        guard let trait, trait.isShared else { return self }
        switch self {
        case .source(.via(_, let source)): return source.shared(trait)
        case .one(.via(_, .asObservable), let node): return node.shared(trait).withoutSharedTrait
        case .one(.via(_, let name), let node): return .one(trait.sharing, .one(name, node.shared(trait)))
        case .two(.via(_, .fallback), let first, let second), .two(.via(_, .recover), let first, let second):
            return .one(
                trait.sharing, .two(.catchHandler(throws: false), .one(.observeOn, first), second.shared(trait)))
        case .two(.via(_, let name), let first, let second):
            return .one(trait.sharing, .two(name, first.shared(trait), second.shared(second.sharedTrait(or: trait))))
        case .many(.via(_, .merge), []), .many(.via(_, .zipCollection), []), .many(.via(_, .zipCollectionThrowing), []):
            return Source.empty.shared(trait)
        case .many(.via(_, let name), let nodes):
            let nodes = nodes.map { $0.shared(trait) }
            // An error of the closure completes it, as in an `Infallible`.
            return .one(trait.sharing, .many(name.throws ? .via(.infallible, name) : name, nodes))
        case .each(.via(_, let name), let node, let choice):
            let choice = Choice(choice.nodes.map { $0.shared(trait) })
            return .one(trait.sharing, .each(name, node.shared(node.sharedTrait(or: trait)), choice))
        default: return self
        }
    }

    /// The expression as one of `trait`.
    private func shared(_ trait: Trait) -> Node { self.trait == trait ? self : converted(to: trait) }

    /// The expression, converted so that it keeps the promises of `trait`.
    package func converted(to trait: Trait) -> Node {
        trait.conversion.reduce(self) { .one($1, $0) }
    }
}

extension Source {
    /// The source as one of `trait`: each event is an action of the scheduler, or `subscribe` is.
    fileprivate func shared(_ trait: Trait) -> Node {
        switch self {
        case .just, .empty: .one(.subscribeOn, .source(self))
        case .optional(let value): .source(.fromScheduled(value.map { [$0] } ?? []))
        case .of(let values), .from(let values): .source(.fromScheduled(values))
        case .ticks, .interval: .one(trait.sharing, .source(self))
        default: .source(self)
        }
    }
}

extension ManySources {
    fileprivate var `throws`: Bool {
        switch self {
        case .combineLatestThrowing, .combineLatestCollectionThrowing, .zipThrowing, .zipCollectionThrowing: true
        default: false
        }
    }
}
