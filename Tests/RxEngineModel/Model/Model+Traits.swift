// Most operators of a trait are those of an observable under another type.

extension Model {
    /// The sequence of an expression as one of a trait.
    func sequence(_ node: Node, as trait: Trait) -> ModelSequence {
        node.trait == trait ? sequence(node) : convert(sequence(node), to: trait)
    }

    private func convert(_ source: ModelSequence, to trait: Trait) -> ModelSequence {
        trait.conversion.reduce(source) { one($1, $0) }
    }

    func one(_ trait: Trait, _ name: OneSource, _ source: ModelSequence) -> ModelSequence {
        switch (trait, name) {
        case (.single, .asMaybe): source
        case (.single, .asCompletable): one(.ignoreElements, source)
        case (.infallible, _): one(name, source).guarded
        default: one(name, source)
        }
    }

    func many(_ trait: Trait, _ name: ManySources, _ sources: [ModelSequence]) -> ModelSequence {
        trait == .infallible ? many(name, sources).guarded : many(name, sources)
    }

    func two(_ trait: Trait, _ name: TwoSources, _ first: Node, _ second: Node) -> ModelSequence {
        if name == .fallback || name == .recover {
            return catchHandler(sequence(first), throws: false, sequence(second, as: trait))
        }
        let source = sequence(first, as: trait)
        return switch (trait, name) {
        case (_, .andThenTrait(let other)): concat([source, sequence(second, as: other)])
        case (_, .andThen): concat([source, sequence(second)])
        case (_, .ifEmptySwitchSingle): ifEmpty(source, switchTo: sequence(second, as: .single))
        // Any observable is accepted: its errors are not delivered.
        case (.infallible, .takeUntil), (.infallible, .skipUntil), (.infallible, .concat):
            two(name, source, sequence(second).guarded)
        case (.infallible, _): two(name, source, sequence(second, as: trait)).guarded
        // The notifications are an observable.
        case (.single, .retryWhen), (.single, .retryWhenTyped): one(.asSingle, two(name, source, sequence(second)))
        case (_, .retryWhen), (_, .retryWhenTyped): two(name, source, sequence(second))
        default: two(name, source, sequence(second, as: trait))
        }
    }

    /// One `flatMap` after the other, however they are nested. The sequence that an element is mapped to is subscribed
    /// to when the `subscribe` of its source has returned and the sources that ended in it have been released.
    func traitFlatMap(_ node: Node) -> ModelSequence {
        // Made once, so that a shared sequence is a single one, however often it is subscribed to.
        var made: [Trait?: [Node: ModelSequence]] = [:]
        return ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            var steps: [Int: [(choice: Choice, trait: Trait)]] = [:]
            var running = 0
            func begin(
                _ first: Node, as firstTrait: Trait?, then rest: [(choice: Choice, trait: Trait)], at moment: Moment
            ) {
                var (node, trait, rest) = (first, firstTrait, rest)
                while case .each(.traitFlatMap(let from, let to), let source, let choice) = node,
                    trait == nil || trait == to
                {
                    rest.insert((choice, to), at: 0)
                    (node, trait) = (source, from)
                }
                running += 1
                let sequence = made[trait]?[node] ?? trait.map { self.sequence(node, as: $0) } ?? self.sequence(node)
                made[trait, default: [:]][node] = sequence
                let number = simulation.subscribe(sequence, at: moment)
                steps[number] = rest
            }
            begin(node, as: nil, then: [], at: simulation.nextCall())
            return simulation.run { cause, event, moment in
                guard case .source(let number) = cause else { return }
                switch event {
                case .next(let value):
                    guard let rest = steps[number], let step = rest.first else { return simulation.emit(event) }
                    let next = step.choice.nodes[try step.choice.index(value)]
                    let returned = simulation.children[number].returned
                    let at = moment < returned ? returned.step(9) : simulation.nextCall()
                    begin(next, as: step.trait, then: Array(rest.dropFirst()), at: at)
                case .completed:
                    running -= 1
                    if running == 0 { simulation.completed() }
                default: simulation.emit(event)
                }
            }
        }
    }
}

extension ModelSequence {
    /// Completes if this one fails.
    var guarded: ModelSequence {
        react {
            { event, output in
                if case .error = event { output.completed() } else { output.emit(event) }
            }
        }
    }
}
