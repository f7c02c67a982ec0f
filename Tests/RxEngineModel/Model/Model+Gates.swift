extension Model {
    /// The rows of all sequences, with `nil` for elements that a completed one lacks.
    func zipLongest(_ sources: [ModelSequence], _ combine: @escaping ([Int?]) -> Int) -> ModelSequence {
        if sources.isEmpty { return source(.empty).viaTrampoline }
        return simulate(sources) { simulation in
            var waiting = [[Int]](repeating: [], count: sources.count)
            var done = Set<Int>()
            func emitRows() {
                while waiting.contains(where: { !$0.isEmpty }),
                    waiting.indices.allSatisfy({ !waiting[$0].isEmpty || done.contains($0) })
                {
                    let row = waiting.map(\.first)
                    waiting = waiting.map { Array($0.dropFirst()) }
                    simulation.next(combine(row))
                }
            }
            return { number, event, _ in
                switch event {
                case .next(let value):
                    waiting[number].append(value)
                    emitRows()
                case .completed:
                    done.insert(number)
                    emitRows()
                    if done.count == sources.count { simulation.completed() }
                default: simulation.emit(event)
                }
            }
        }
    }

    /// The first row that differs, or the end, gives the result.
    func sequenceEqual(_ first: ModelSequence, _ second: ModelSequence) -> ModelSequence {
        zipLongest([first, second]) { $0[0] == $0[1] ? 1 : 0 }.react {
            { event, output in
                switch event {
                case .next(1): break
                case .next, .completed:
                    output.next(event == .completed ? 1 : 0)
                    output.completed()
                default: output.emit(event)
                }
            }
        }
    }

    /// Side by side; the errors follow the last end, when all sources are released.
    func mergeDelayError(_ sources: [ModelSequence]) -> ModelSequence {
        simulate(sources) { simulation in
            var running = sources.count
            var errors: [Int] = []
            return { _, event, _ in
                if case .next = event { return simulation.emit(event) }
                if case .error(let number) = event { errors.append(number) }
                running -= 1
                if running == 0 { simulation.end(with: errors) }
            }
        }
    }

    /// An error of a source is its completion, and follows the completion of the result.
    func combineLatestDelayError(_ sources: [ModelSequence]) -> ModelSequence {
        if sources.isEmpty { return source(.just(Self.digest([]))).viaTrampoline }
        return simulate(sources) { simulation in
            var latest = [Int?](repeating: nil, count: sources.count)
            var done = Set<Int>()
            var errors: [Int] = []
            return { number, event, _ in
                if case .next(let value) = event {
                    latest[number] = value
                    if !latest.contains(nil) {
                        simulation.next(Self.digest(latest.compactMap(\.self)))
                    } else if sources.indices.allSatisfy({ $0 == number || done.contains($0) }) {
                        simulation.end(with: errors)
                    }
                    return
                }
                if case .error(let failure) = event { errors.append(failure) }
                done.insert(number)
                if done.count == sources.count { simulation.end(with: errors) }
            }
        }
    }

    /// The gate, `second`, is subscribed to first, and is open while its latest element is even.
    func pausable(_ first: ModelSequence, _ second: ModelSequence) -> ModelSequence {
        simulate([second, first]) { simulation in
            var isOpen = false
            return { number, event, _ in
                switch (number, event) {
                case (0, .next(let value)): isOpen = value.isMultiple(of: 2)
                case (0, .completed): break
                case (1, .next): if isOpen { simulation.emit(event) }
                default: simulation.emit(event)
                }
            }
        }
    }

    func pausableBuffered(
        _ first: ModelSequence, _ second: ModelSequence, _ limit: Int, _ overflow: TwoSources.Overflow
    ) -> ModelSequence {
        simulate([second, first]) { simulation in
            var isOpen = false
            var gateIsOver = false
            var sourceIsOver = false
            var queue: [Int] = []
            return { number, event, _ in
                switch (number, event) {
                case (0, .next(let value)):
                    isOpen = value.isMultiple(of: 2)
                    guard isOpen else { return }
                    queue.forEach { simulation.next($0) }
                    queue = []
                    if sourceIsOver { simulation.completed() }
                case (0, .completed):
                    gateIsOver = true
                    queue = []
                    if sourceIsOver { simulation.completed() }
                case (1, .next(let value)):
                    if isOpen { return simulation.next(value) }
                    // The gate never opens.
                    if gateIsOver { return }
                    if queue.count == limit {
                        switch overflow {
                        case .dropNewest: return
                        case .error: throw Failure(Failure.bufferOverflow)
                        case .dropOldest: queue.removeFirst()
                        case .latest: queue = []
                        }
                    }
                    queue.append(value)
                case (1, .completed) where !queue.isEmpty && !gateIsOver: sourceIsOver = true
                default: simulation.emit(event)
                }
            }
        }
    }

    /// The marks, `second`, are subscribed to first.
    func bufferUntil(_ first: ModelSequence, _ second: ModelSequence) -> ModelSequence {
        simulate([second, first]) { simulation in
            var kept: [Int] = []
            return { number, event, _ in
                switch (number, event) {
                case (0, .next):
                    let full = kept
                    kept = []
                    simulation.next(Self.digest(full))
                case (0, .completed): break
                case (1, .next(let value)): kept.append(value)
                case (1, .completed):
                    if !kept.isEmpty { simulation.next(Self.digest(kept)) }
                    simulation.completed()
                default: simulation.emit(event)
                }
            }
        }
    }

    /// The first window opens before the marks, `second`, and the source are subscribed to.
    func windowUntil(
        _ source: ModelSequence, _ second: ModelSequence, into inner: InnerSequences
    ) -> ModelSequence {
        ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            var current = inner.open()
            simulation.next(current)
            simulation.subscribe(second, at: simulation.nextCall())
            simulation.subscribe(source, at: simulation.nextCall())
            return simulation.run { cause, event, _ in
                switch (cause, event) {
                case (.source(0), .next):
                    inner.send(.completed, to: current, at: simulation.nextCall())
                    current = inner.open()
                    simulation.next(current)
                case (.source(0), .completed): break
                case (.source(1), .next): inner.send(event, to: current, at: simulation.nextCall())
                default:
                    inner.send(event, to: current, at: simulation.nextCall())
                    simulation.emit(event)
                }
            }
        }
    }
}

extension OperatorSimulation {
    /// Releases all sources, and then fails with the delayed errors or, without any, completes.
    fileprivate func end(with errors: [Int]) {
        for number in children.indices { drop(number) }
        emit(errors.isEmpty ? .completed : .error(Failure.composite(errors)))
    }
}
