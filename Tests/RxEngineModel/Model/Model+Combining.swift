extension Model {
    func two(_ name: TwoSources, _ first: ModelSequence, _ second: ModelSequence) -> ModelSequence {
        switch name {
        case .takeUntil: takeUntil(first, second)
        case .skipUntil: skipUntil(first, second)
        case .sample(let standIn): sample(first, second, standIn)
        case .zipLongest: zipLongest([first, second]) { Self.digest($0.map { $0 ?? -1 }) }
        case .sequenceEqual: sequenceEqual(first, second)
        case .pausable: pausable(first, second)
        case .pausableBuffered(let limit, let overflow): pausableBuffered(first, second, limit, overflow)
        case .bufferUntil: bufferUntil(first, second)
        case .windowUntil(let flattening):
            flattenInner(flattening) { self.windowUntil(first, second, into: $0) }
        case .mergeDelayError: mergeDelayError([first, second])
        case .concatDelayError: concatDelayError([first, second])
        case .withLatestFrom: withLatestFrom(first, second, throwsAt: nil)
        case .withLatestFromThrowing(let value): withLatestFrom(first, second, throwsAt: value)
        case .amb: amb([first, second])
        case .concat: concat([first, second])
        case .ifEmptySwitch: ifEmpty(first, switchTo: second)
        case .timeoutOther(let span): timeout(first, span, other: second)
        case .catchHandler(let fails): catchHandler(first, throws: fails, second)
        case .retryWhen(true): retryWhen(first) { { _ in second } }
        case .retryWhen(false): retryWhen(first, notifications: second)
        case .retryWhenTyped: retryWhen(first) { { $0 < Failure.noElements ? second : nil } }
        case .repeatWhen(true): repeatWhen(first) { { _ in second } }
        case .repeatWhen(false): repeatWhen(first, second) { { _ in nil } }
        case .andThen: concat([one(.ignoreElements, first), second])
        // Of traits: see `Model+Traits.swift`.
        case .andThenTrait, .ifEmptySwitchSingle, .fallback, .recover, .via: first
        }
    }

    func many(_ name: ManySources, _ sources: [ModelSequence]) -> ModelSequence {
        switch name {
        case .combineLatest, .combineLatestCollection: combineLatest(sources, throwsAt: nil)
        case .combineLatestThrowing(let value), .combineLatestCollectionThrowing(let value):
            combineLatest(sources, throwsAt: value)
        case .zip: zip(sources, endsAlone: false, throwsAt: nil)
        case .zipThrowing(let value): zip(sources, endsAlone: false, throwsAt: value)
        case .zipCollection: zip(sources, endsAlone: true, throwsAt: nil)
        case .zipCollectionThrowing(let value): zip(sources, endsAlone: true, throwsAt: value)
        case .zipLongestCollection: zipLongest(sources) { Self.digest($0.map { $0 ?? -1 }) }
        case .combineLatestDelayError: combineLatestDelayError(sources)
        case .concatEager: concatEager(sources)
        case .merge: merge(sources)
        case .concat: concat(sources)
        case .amb: amb(sources)
        case .catchSequence: catchSequence(sources)
        case .via: merge(sources)
        }
    }

    /// Simulates an operator whose sources are subscribed to one after the other, at the start.
    func simulate(
        _ sources: [ModelSequence],
        _ makeReaction: @escaping (OperatorSimulation) -> (Int, ProgramEvent, Moment) throws -> Void
    ) -> ModelSequence {
        ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            for source in sources { simulation.subscribe(source, at: simulation.nextCall()) }
            let reaction = makeReaction(simulation)
            return simulation.run { cause, event, moment in
                if case .source(let number) = cause { try reaction(number, event, moment) }
            }
        }
    }

    private func merge(_ sources: [ModelSequence]) -> ModelSequence {
        if sources.isEmpty { return source(.empty).viaTrampoline }
        return simulate(sources) { simulation in
            var running = sources.count
            return { _, event, _ in
                if event == .completed {
                    running -= 1
                    if running == 0 { simulation.completed() }
                } else {
                    simulation.emit(event)
                }
            }
        }
    }

    private func combineLatest(_ sources: [ModelSequence], throwsAt: Int?) -> ModelSequence {
        if sources.isEmpty { return source(.just(Self.digest([]))).viaTrampoline }
        return simulate(sources) { simulation in
            var latest = [Int?](repeating: nil, count: sources.count)
            var done = Set<Int>()
            return { number, event, _ in
                switch event {
                case .next(let value):
                    latest[number] = value
                    if !latest.contains(nil) {
                        simulation.next(try Self.digest(latest.compactMap(\.self), throwsAt: throwsAt))
                    } else if sources.indices.allSatisfy({ $0 == number || done.contains($0) }) {
                        simulation.completed()
                    }
                case .completed:
                    done.insert(number)
                    if done.count == sources.count { simulation.completed() }
                default: simulation.emit(event)
                }
            }
        }
    }

    private func zip(_ sources: [ModelSequence], endsAlone: Bool, throwsAt: Int?) -> ModelSequence {
        if sources.isEmpty { return source(.empty).viaTrampoline }
        return simulate(sources) { simulation in
            var waiting = [[Int]](repeating: [], count: sources.count)
            var done = Set<Int>()
            return { number, event, _ in
                switch event {
                case .next(let value):
                    waiting[number].append(value)
                    if waiting.allSatisfy({ !$0.isEmpty }) {
                        simulation.next(try Self.digest(waiting.map { $0[0] }, throwsAt: throwsAt))
                        for index in waiting.indices { waiting[index].removeFirst() }
                    } else if endsAlone, sources.indices.allSatisfy({ $0 == number || done.contains($0) }) {
                        simulation.completed()
                    }
                case .completed:
                    done.insert(number)
                    if done.count == sources.count { simulation.completed() }
                default: simulation.emit(event)
                }
            }
        }
    }

    /// The first source to emit anything wins; the others are released before its event is delivered.
    private func amb(_ sources: [ModelSequence]) -> ModelSequence {
        if sources.isEmpty { return source(.never).viaTrampoline }
        let contest = simulate(sources) { simulation in
            var winner: Int?
            return { number, event, _ in
                if winner == nil {
                    winner = number
                    for other in sources.indices where other != number { simulation.drop(other) }
                }
                simulation.emit(event)
            }
        }
        return ModelSequence { start in
            let run = contest.run(start)
            if run.children.contains(where: \.hasLostBeforeStart) { self.meets(.ambLostBeforeStart) }
            return run
        }
    }

    /// `second` is subscribed to first. Its end is ignored, its error is not.
    private func takeUntil(_ first: ModelSequence, _ second: ModelSequence) -> ModelSequence {
        simulate([second, first]) { simulation in
            { number, event, _ in
                switch (number, event) {
                case (0, .next): simulation.completed()
                case (0, .completed): break
                default: simulation.emit(event)
                }
            }
        }
    }

    /// A source that completes before `second` has emitted ends the run without any event.
    private func skipUntil(_ first: ModelSequence, _ second: ModelSequence) -> ModelSequence {
        simulate([first, second]) { simulation in
            var isOpen = false
            return { number, event, moment in
                switch (number, event) {
                case (1, .next):
                    isOpen = true
                    simulation.drop(1)
                case (1, .completed): break
                case (0, .next): if isOpen { simulation.emit(event) }
                case (0, .completed): if isOpen { simulation.emit(event) } else { simulation.endSilently() }
                default: simulation.emit(event)
                }
            }
        }
    }

    private func sample(_ first: ModelSequence, _ second: ModelSequence, _ standIn: Int?) -> ModelSequence {
        simulate([first, second]) { simulation in
            var latest: Int?
            var isLast = false
            return { number, event, _ in
                switch (number, event) {
                case (0, .next(let value)): latest = value
                case (0, .completed): isLast = true
                case (1, .next), (1, .completed):
                    if let value = latest ?? standIn { simulation.next(value) }
                    latest = nil
                    if isLast { simulation.completed() }
                default: simulation.emit(event)
                }
            }
        }
    }

    private func withLatestFrom(
        _ first: ModelSequence, _ second: ModelSequence, throwsAt: Int?
    ) -> ModelSequence {
        simulate([second, first]) { simulation in
            var latest: Int?
            return { number, event, _ in
                switch (number, event) {
                case (0, .next(let value)): latest = value
                case (0, .completed): break
                case (1, .next(let value)):
                    if let latest { simulation.next(try Self.digest([value, latest], throwsAt: throwsAt)) }
                default: simulation.emit(event)
                }
            }
        }
    }
}
