extension Model {
    func flatten(_ name: Flattening, _ source: ModelSequence, _ choose: Choosing) -> ModelSequence {
        switch name {
        case .flatMap, .mapMerge, .traitFlatMap, .via: flatten(source, limit: .max) { try choose($0) }
        case .concatMap, .mapConcat: flatten(source, limit: 1) { try choose($0) }
        case .concatMapEager(let limit): flattenEager(source, limit: limit) { try choose($0) }
        case .mapMergeLimited(let limit), .flatMapLimited(let limit): flatten(source, limit: limit) { try choose($0) }
        case .expandTwice: expandTwice(source) { try choose($0) }
        case .flatMapFirst: flattenFirst(source) { try choose($0) }
        case .flatMapLatest, .mapSwitchLatest: flattenLatest(source) { try choose($0) }
        }
    }

    /// All inner sequences, at most `limit` at once; the others are queued in order. The source is child 0.
    func flatten(
        _ source: ModelSequence, limit: Int, _ choose: @escaping (Int) throws -> ModelSequence
    ) -> ModelSequence {
        ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            simulation.subscribe(source, at: simulation.nextCall())
            var waiting: [ModelSequence] = []
            var running = 0
            var sourceIsOver = false
            return simulation.run { cause, event, moment in
                switch (cause, event) {
                case (.source(0), .next(let value)):
                    let inner = try choose(value)
                    if running == limit { return waiting.append(inner) }
                    running += 1
                    simulation.subscribe(inner, at: simulation.nextCall())
                case (.source(0), .completed):
                    sourceIsOver = true
                    if running == 0 { simulation.completed() }
                case (.source(let number), .completed):
                    if !waiting.isEmpty { return simulation.follow(number, with: waiting.removeFirst(), at: moment) }
                    running -= 1
                    if sourceIsOver, running == 0 {
                        simulation.completed()
                    } else if limit < .max {
                        simulation.drop(number)
                    }
                default: simulation.emit(event)
                }
            }
        }
    }

    /// Each element is emitted and then expanded, down to the second generation. The source is child 0.
    private func expandTwice(
        _ source: ModelSequence, _ choose: @escaping (Int) throws -> ModelSequence
    ) -> ModelSequence {
        ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            var depths = [0]
            var running = 1
            simulation.subscribe(source, at: simulation.nextCall())
            return simulation.run { cause, event, _ in
                switch (cause, event) {
                case (.source(let number), .next(let value)):
                    simulation.emit(event)
                    guard depths[number] < 2, !simulation.isOver else { return }
                    let inner = try choose(value)
                    depths.append(depths[number] + 1)
                    running += 1
                    simulation.subscribe(inner, at: simulation.nextCall())
                case (.source, .completed):
                    running -= 1
                    if running == 0 { simulation.completed() }
                default: simulation.emit(event)
                }
            }
        }
    }

    /// Elements that arrive while an inner sequence runs are dropped, and the selector is not called for them.
    private func flattenFirst(
        _ source: ModelSequence, _ choose: @escaping (Int) throws -> ModelSequence
    ) -> ModelSequence {
        ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            simulation.subscribe(source, at: simulation.nextCall())
            var isRunning = false
            var sourceIsOver = false
            return simulation.run { cause, event, _ in
                switch (cause, event) {
                case (.source(0), .next(let value)):
                    if isRunning { return }
                    let inner = try choose(value)
                    isRunning = true
                    simulation.subscribe(inner, at: simulation.nextCall())
                case (.source(0), .completed):
                    sourceIsOver = true
                    if !isRunning { simulation.completed() }
                case (.source, .completed):
                    isRunning = false
                    if sourceIsOver { simulation.completed() }
                default: simulation.emit(event)
                }
            }
        }
    }

    /// The latest inner sequence: the previous one is released when the next has been made, and then the next is
    /// subscribed to.
    func flattenLatest(
        _ source: ModelSequence, _ choose: @escaping (Int) throws -> ModelSequence
    ) -> ModelSequence {
        ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            simulation.subscribe(source, at: simulation.nextCall())
            var latest: Int?
            var sourceIsOver = false
            return simulation.run { cause, event, _ in
                switch (cause, event) {
                case (.source(0), .next(let value)):
                    let inner = try choose(value)
                    if let latest { simulation.drop(latest) }
                    latest = simulation.subscribe(inner, at: simulation.nextCall())
                case (.source(0), .completed):
                    sourceIsOver = true
                    if latest == nil { simulation.completed() }
                case (.source, .completed):
                    latest = nil
                    if sourceIsOver { simulation.completed() }
                default: simulation.emit(event)
                }
            }
        }
    }
}

extension OperatorSimulation {
    /// Runs another source in place of one that has ended, after that has been released, which is not before its
    /// `subscribe` has returned.
    func follow(_ number: Int, with sequence: ModelSequence, at end: Moment) {
        let child = children[number]
        let begin = max(end.step(9), child.returned)
        child.end(silence: end, release: end.step(8))
        subscribe(sequence, at: begin.step(99))
    }
}
