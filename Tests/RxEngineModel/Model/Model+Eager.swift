extension Model {
    func concatEager(_ sources: [ModelSequence]) -> ModelSequence {
        flattenEager(source(.from(Array(sources.indices))), limit: .max) { sources[$0] }
    }

    /// Inner sequences side by side, whose elements are emitted in the order of the sequences. The source is child 0.
    ///
    /// Each has one of `limit` places, until it has completed and its elements are emitted. The sequence that gets its
    /// place is started when everything else that the completion causes is done.
    func flattenEager(
        _ source: ModelSequence, limit: Int, _ choose: @escaping (Int) throws -> ModelSequence
    ) -> ModelSequence {
        ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            simulation.subscribe(source, at: simulation.nextCall())
            var queue: [ModelSequence] = []
            var running: [Int] = []
            var kept: [Int: [Int]] = [:]
            var completed: Set<Int> = []
            var sourceIsOver = false
            return simulation.run { cause, event, moment in
                guard case .source(let number) = cause else { return }
                switch (number, event) {
                case (0, .next(let value)):
                    let inner = try choose(value)
                    if running.count == limit { return queue.append(inner) }
                    running.append(simulation.subscribe(inner, at: simulation.nextCall()))
                case (0, .completed):
                    sourceIsOver = true
                    if running.isEmpty { simulation.completed() }
                case (_, .next(let value)):
                    if number == running.first {
                        simulation.next(value)
                    } else {
                        kept[number, default: []].append(value)
                    }
                case (_, .completed):
                    completed.insert(number)
                    var following: [(finished: Int, ModelSequence)] = []
                    while let first = running.first, completed.contains(first) {
                        running.removeFirst()
                        if !queue.isEmpty { following.append((first, queue.removeFirst())) }
                        if let next = running.first { kept.removeValue(forKey: next)?.forEach { simulation.next($0) } }
                    }
                    if sourceIsOver, running.isEmpty, following.isEmpty { return simulation.completed() }
                    simulation.children[number].end(silence: moment, release: moment.step(Self.afterCalls))
                    for (index, (finished, inner)) in following.enumerated() {
                        let begin = max(moment.step(Self.afterCalls + 1), simulation.children[finished].returned)
                        running.append(simulation.subscribe(inner, at: begin.step(99 + index)))
                    }
                default: simulation.emit(event)
                }
            }
        }
    }

    /// More calls than an operator makes in one reaction.
    private static let afterCalls = 5000
}
