// Laws of every program, whatever it shares: the engine is compared with itself, before and after a change that must
// make no difference. A law changes every place to which it applies, so that a program that breaks it can be shrunk.

extension Check {
    /// The laws, in the order in which a campaign checks them.
    package static let laws: [Check] =
        [
            OneSource.materializeDematerialize, .identityMap, .asObservable, .tag, .checkpoint,
            .do(.unseen([.onNext, .onError, .onCompleted])), .do(.unseen([.afterNext, .afterError, .afterCompleted])),
            .do(.unseen([.onSubscribe, .onSubscribed])), .do(.unseen([.onDispose])),
            .do(.unseen(Set(SideEffects.Callback.allCases))),
        ].map { operation in
            law("\(operation.lawName) is transparent") { $0.inserting(operation, where: \.admitsOperator) }
        } + [
            law("share() of one subscriber is transparent", comparing: \.withoutIdleSubscriptions) {
                $0.changingOnce { .one(.share(replay: 0), $0) }
            },
            law("share(replay: 1) of one subscriber is transparent", comparing: \.withoutIdleSubscriptions) {
                $0.changingOnce { .one(.share(replay: 1), $0) }
            },
            law("asSingle().asMaybe() of one element is transparent") {
                $0.mapNodes {
                    if case .one(.asSingle, _) = $0 { .one(.asSingle, .one(.via(.single, .asMaybe), $0)) } else { $0 }
                }
            },
            // A run of one source, which the outer run may carry out. On top of `subscribe(on:)` it may notice earlier
            // that it is over, and release its source earlier.
            law("retry(1) is transparent") {
                $0.usesSubscribeOn ? $0 : $0.inserting(.retry(1), where: \.admitsOperator)
            },
            law("concat(empty, …) is transparent") {
                $0.usesSubscribeOn
                    ? $0
                    : $0.mapNodes { $0.trait == nil && $0.admitsOperator ? .many(.concat, [.source(.empty), $0]) : $0 }
            },
            // With feedback, the order of several subscribers of a subject depends on the grouping.
            law("concat and merge are associative to the left") {
                $0.feedback.isEmpty ? $0.mapNodes(\.groupedLeft) : $0
            },
            law("concat and merge are associative to the right") {
                $0.feedback.isEmpty ? $0.mapNodes(\.groupedRight) : $0
            },
        ] + Trait.allCases.map(throughTraitAndBack) + sharedTraits

    /// A sequence that keeps the promises of a trait is converted to the trait and back.
    private static func throughTraitAndBack(_ trait: Trait) -> Check {
        let conversion = OneSource.via(trait, .asObservable)
        if trait.isShared {
            return law(
                "as \(trait) and back is transparent apart from errors and the scheduler",
                comparing: \.withoutIdleSubscriptions,
                of: { $0.changingOnce { $0.trait == trait ? $0 : $0.convertedUnshared } },
                { $0.changingOnce { $0.trait == trait ? $0 : .one(conversion, $0) } })
        }
        return law("as \(trait) and back is transparent") {
            $0.inserting(conversion) { $0.keepsPromises(of: trait) }
        }
    }

    /// - Parameters:
    ///   - form: the part of the recordings that is compared.
    ///   - before: the program that is compared.
    ///   - change: the change that must make no difference.
    static func law(
        _ name: String, comparing form: @escaping @Sendable (Recording) -> Recording = \.canonical,
        of before: @escaping @Sendable (Program) -> Program = { $0 },
        _ change: @escaping @Sendable (Program) -> Program
    ) -> Check {
        Check(name: name) { original in
            let (program, changed) = (before(original), change(original))
            if changed == program { return .discarded }
            if program.isPlain, !Model.isDefined(program) || !Model.isDefined(changed) { return .discarded }
            let isLoose = program.hasLooseOrder || changed.hasLooseOrder
            // Which subscribers exist when a shared run begins depends on the order.
            if isLoose, !program.shared.isEmpty, program.subscribers.count > 1 { return .discarded }
            let before = Engine.run(program)
            if before.hasRunAway { return .discarded }
            if let broken = before.brokenRule { return .fails(expected: before, actual: before.saying(broken)) }
            let after = Engine.run(changed)
            if let broken = after.brokenRule { return .fails(expected: before, actual: after.saying(broken)) }
            let compared = { isLoose ? $0.withoutOrderOfKinds : form($0) }
            let (expected, actual) = (compared(before), compared(after))
            return expected == actual ? .holds : .fails(expected: expected, actual: actual)
        }
    }
}

extension SideEffects {
    private static let unseenID = -1

    /// Closures whose effects are not recorded.
    static func unseen(_ closures: Set<Callback>) -> SideEffects { SideEffects(id: unseenID, closures: closures) }

    var isUnseen: Bool { id == Self.unseenID }
}

extension OneSource {
    fileprivate var lawName: String {
        guard case .do(let effects) = self else { return "\(self)" }
        return "do(\(Callback.allCases.filter(effects.closures.contains).map { "\($0):" }.joined(separator: " ")))"
    }

    private typealias Callback = SideEffects.Callback
}

extension Recording {
    /// Whether the program itself has an endless loop.
    var hasRunAway: Bool { wasStopped || entries.count >= Recording.limit }
}

extension Program {
    var isPlain: Bool { subjects.isEmpty && shared.isEmpty && feedback.isEmpty }

    /// The program with every node changed, from the sources down.
    fileprivate func mapNodes(_ change: (Node) -> Node) -> Program {
        var program = self
        program.root = root.map(change)
        for index in shared.indices { program.shared[index].node = shared[index].node.map(change) }
        return program
    }

    fileprivate func inserting(_ operation: OneSource, where admits: (Node) -> Bool) -> Program {
        // A part of a trait remains one, because other operators of the trait may follow.
        mapNodes { $0.trait == nil && admits($0) ? .one(operation, $0) : $0 }
    }

    /// Applies the change wherever there is at most one subscriber at a time.
    fileprivate func changingOnce(_ change: (Node) -> Node) -> Program {
        guard subscribers.count == 1, feedback.isEmpty else { return self }
        // If `subscribe(on:)` releases something a tick after its subscriber has unsubscribed, that may be noticed
        // earlier. If the model covers the program, it covers that too.
        if usesSubscribeOn, !isPlain || subscribers.contains(where: { $0.disposesAfter != nil }) { return self }
        var program = self
        program.root = root.changingOnce(change)
        return program
    }
}

extension Node {
    fileprivate func map(_ change: (Node) -> Node) -> Node { change(with(children: children.map { $0.map(change) })) }

    /// Whether an operator on it does not change the use of the trampoline, which sources such as `just` do not enter.
    fileprivate var admitsOperator: Bool {
        switch self {
        case .source(let source):
            switch source {
            case .just, .empty, .error, .never, .optional, .subject: false
            default: true
            }
        case .one(.take(0), _): false
        default: true
        }
    }

    /// Delivered on the scheduler and without errors, like a `Driver` and a `Signal`.
    fileprivate var convertedUnshared: Node { .one(.catchAndReturn(Trait.standIn), .one(.observeOn, self)) }

    /// Whether it is already known to be a sequence of the trait.
    fileprivate func keepsPromises(of trait: Trait) -> Bool {
        switch (trait, self) {
        case (.single, _): isSingle
        case (.maybe, _): isMaybe
        case (.completable, .one(.asCompletable, _)), (.completable, .one(.ignoreElements, _)): true
        case (.infallible, .one(.materialize, _)), (.infallible, .one(.catchAndReturn, _)): true
        default: false
        }
    }

    fileprivate var isMaybe: Bool {
        if case .one(.take(1), _) = self { true } else { isSingle }
    }

    fileprivate var isSingle: Bool {
        switch self {
        case .one(.first, _), .one(.asSingle, _), .one(.toArray, _), .one(.reduce, _), .one(.elementAt, _): true
        default: false
        }
    }

    fileprivate func changingOnce(_ change: (Node) -> Node) -> Node {
        let below: Node =
            switch self {
            case .one(.via, _), .each(.via, _, _), .each(.traitFlatMap, _, _): self
            case .one(let name, let node) where !name.mayShareItsSource: .one(name, node.changingOnce(change))
            case .many(.merge, let nodes): .many(.merge, nodes.map { $0.changingOnce(change) })
            case .many(.zip, let nodes): .many(.zip, nodes.map { $0.changingOnce(change) })
            case .many(.combineLatest, let nodes): .many(.combineLatest, nodes.map { $0.changingOnce(change) })
            case .each(let name, let node, let choice): .each(name, node.changingOnce(change), choice)
            default: self
            }
        return admitsOperator ? change(below) : below
    }

    fileprivate var groupedLeft: Node {
        guard case .many(let name, let nodes) = self, name == .concat || name == .merge, nodes.count > 2 else {
            return self
        }
        return .many(name, [.many(name, Array(nodes.dropLast()))] + nodes.suffix(1))
    }

    fileprivate var groupedRight: Node {
        guard case .many(let name, let nodes) = self, name == .concat || name == .merge, nodes.count > 2 else {
            return self
        }
        return .many(name, nodes.prefix(1) + [.many(name, Array(nodes.dropFirst()))])
    }
}

extension OneSource {
    /// Whether it may subscribe to its source again while the previous run is still ending.
    fileprivate var mayShareItsSource: Bool {
        switch self {
        case .retry, .retryForever, .retryPolicy, .multicastSelector, .share: true
        case .via(_, let name): name.mayShareItsSource
        default: false
        }
    }
}
