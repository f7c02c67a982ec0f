extension Model {
    func timed(_ name: OneSource, _ source: ModelSequence) -> ModelSequence {
        switch name {
        case .debounce(let span): debounce(source, span)
        case .throttle(let span, let latest): throttle(source, span, latest: latest)
        case .throttleFirst(let span): throttle(source, span, latest: false)
        case .timeInterval: timeInterval(source)
        case .auditTime(let span): auditTime(source, span)
        case .throttleLast(let span): two(.sample(default: nil), source, self.source(.interval(span)))
        case .takeLastFor(let span): takeLast(source, for: span)
        case .delay(let span): delay(source, span)
        case .delaySubscription(let span): delaySubscription(source, span)
        case .timeout(let span): timeout(source, span, other: nil)
        case .takeFor(let span): takeFor(source, span)
        case .skipFor(let span): skipFor(source, span)
        case .bufferTime(let span, let count): buffer(source, span, count)
        case .window(let span, let count, let flattening):
            flattenInner(flattening) { self.window(source, span, count, into: $0) }
        case .groupBy(let modulus, let flattening, let throwsAt):
            flattenInner(flattening) { self.groupBy(source, modulus, throwsAt, into: $0) }
        case .observeOn: observeOn(source)
        case .subscribeOn: subscribeOn(source)
        case .share: share(source)
        default: source
        }
    }

    /// One source and timers: timer 0 runs from the start, if it has a span.
    private func timers(
        _ source: ModelSequence, start span: Int? = nil,
        _ makeReaction:
            @escaping (OperatorSimulation) -> (OperatorSimulation.Cause, ProgramEvent, Moment) throws -> Void
    ) -> ModelSequence {
        ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            if let span { simulation.setTimer(0, after: span, at: simulation.nextCall()) }
            simulation.subscribe(source, at: simulation.nextCall())
            return simulation.run(makeReaction(simulation))
        }
    }

    /// A clock that starts with the subscription.
    private func timeInterval(_ source: ModelSequence) -> ModelSequence {
        ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            simulation.subscribe(source, at: simulation.nextCall())
            var last = start.tick
            return simulation.run { _, event, moment in
                guard case .next(let value) = event else { return simulation.emit(event) }
                simulation.next((value + 100 * (moment.tick - last)) % 1000)
                last = moment.tick
            }
        }
    }

    /// Each element sets a timer of its own; the last one counts.
    private func debounce(_ source: ModelSequence, _ span: Int) -> ModelSequence {
        timers(source) { simulation in
            var waiting: Int?
            var number = 0
            return { cause, event, _ in
                switch (cause, event) {
                case (.timer(number), _):
                    if let value = waiting { simulation.next(value) }
                    waiting = nil
                case (.timer, _): break
                case (_, .next(let value)):
                    waiting = value
                    number += 1
                    simulation.setTimer(number, after: span, at: simulation.nextCall())
                case (_, .completed):
                    if let waiting { simulation.next(waiting) }
                    simulation.completed()
                default: simulation.emit(event)
                }
            }
        }
    }

    /// The first element without a timer sets one, which emits the latest.
    private func auditTime(_ source: ModelSequence, _ span: Int) -> ModelSequence {
        timers(source) { simulation in
            var waiting: Int?
            var isLast = false
            return { cause, event, _ in
                switch (cause, event) {
                case (.timer, _):
                    if let value = waiting {
                        waiting = nil
                        simulation.next(value)
                    }
                    if isLast { simulation.completed() }
                case (_, .next(let value)):
                    if waiting == nil { simulation.setTimer(1, after: span, at: simulation.nextCall()) }
                    waiting = value
                case (_, .completed) where waiting != nil: isLast = true
                default: simulation.emit(event)
                }
            }
        }
    }

    /// The elements of the last `span`.
    private func takeLast(_ source: ModelSequence, for span: Int) -> ModelSequence {
        timers(source) { simulation in
            var kept: [(value: Int, tick: Int)] = []
            return { _, event, moment in
                switch event {
                case .next(let value): kept.append((value, moment.tick))
                case .completed:
                    for (value, tick) in kept where moment.tick - tick <= span { simulation.next(value) }
                    simulation.completed()
                default: simulation.emit(event)
                }
            }
        }
    }

    /// At most one element in `span`, counted from each delivered element.
    private func throttle(_ source: ModelSequence, _ span: Int, latest: Bool) -> ModelSequence {
        timers(source) { simulation in
            var delivered: Int?
            var waiting: Int?
            var number = 0
            var hasCompleted = false
            return { cause, event, moment in
                let left = delivered.map { $0 + span - moment.tick } ?? 0
                switch (cause, event) {
                case (.timer(number), _):
                    if let value = waiting {
                        waiting = nil
                        simulation.next(value)
                        delivered = moment.tick
                    }
                    if hasCompleted { simulation.completed() }
                case (.timer, _): break
                case (_, .next(let value)):
                    if left <= 0 {
                        waiting = nil
                        simulation.next(value)
                        delivered = moment.tick
                    } else if latest {
                        if waiting == nil {
                            number += 1
                            simulation.setTimer(number, after: left, at: simulation.nextCall())
                        }
                        waiting = value
                    }
                case (_, .completed) where waiting != nil: hasCompleted = true
                default: simulation.emit(event)
                }
            }
        }
    }

    /// One timer, for the oldest of the pending events: each event is an action of its own.
    private func delay(_ source: ModelSequence, _ span: Int) -> ModelSequence {
        timers(source) { simulation in
            var waiting: [(tick: Int, event: ProgramEvent)] = []
            return { cause, event, moment in
                if case .timer = cause {
                    simulation.emit(waiting.removeFirst().event)
                    if let next = waiting.first {
                        simulation.setTimer(0, after: next.tick + span - moment.tick, at: simulation.nextCall())
                    }
                } else if case .error = event {
                    simulation.emit(event)
                } else {
                    waiting.append((moment.tick, event))
                    if waiting.count == 1 { simulation.setTimer(0, after: span, at: simulation.nextCall()) }
                }
            }
        }
    }

    private func observeOn(_ source: ModelSequence) -> ModelSequence {
        timers(source) { simulation in
            var waiting: [ProgramEvent] = []
            return { cause, event, _ in
                if case .timer = cause {
                    simulation.emit(waiting.removeFirst())
                    if !waiting.isEmpty { simulation.setTimer(0, after: 0, at: simulation.nextCall()) }
                } else {
                    waiting.append(event)
                    if waiting.count == 1 { simulation.setTimer(0, after: 0, at: simulation.nextCall()) }
                }
            }
        }
    }

    private func delaySubscription(_ source: ModelSequence, _ span: Int) -> ModelSequence {
        ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            simulation.setTimer(0, after: span, at: simulation.nextCall())
            return simulation.run { cause, event, _ in
                if case .timer = cause {
                    simulation.subscribe(source, at: simulation.nextCall())
                } else {
                    simulation.emit(event)
                }
            }
        }
    }

    /// Disposing it releases the source on the scheduler, a tick later; an end releases it at once.
    private func subscribeOn(_ source: ModelSequence) -> ModelSequence {
        ModelSequence { start in
            let late = self.delaySubscription(source, 0).run(start)
            return Run(start: start, events: late.events) { cut, builder in
                let hasEnded = late.events.last.map { $0.event.isTerminal && $0.at <= cut.silence } == true
                let isStarted = start.tick < cut.release.tick && cut.release.tick < .max
                if hasEnded || !isStarted { return late.end(cut, builder) }
                if !source.isPlain || cut.release.tick == start.tick + 1 { self.meets(.subscribeOnDisposed) }
                let release = Moment.action(at: cut.release.tick + 1, scheduledAt: cut.release)
                // The source may end before it is released.
                if let end = late.events.last, end.event.isTerminal, end.at < release {
                    self.meets(.subscribeOnDisposed)
                }
                late.end(Cut(silence: cut.silence, release: release), builder)
            }
        }
    }

    /// An element in time, even at the last tick, restarts the span once it has been delivered. Without another
    /// sequence it fails, as any operator does: the source is released after the error.
    func timeout(_ source: ModelSequence, _ span: Int, other: ModelSequence?) -> ModelSequence {
        timers(source, start: span) { simulation in
            var number = 0
            return { cause, event, _ in
                switch (cause, event) {
                case (.timer(number), _):
                    guard let other else { return simulation.emit(.error(Failure.timeout)) }
                    simulation.drop(0)
                    simulation.subscribe(other, at: simulation.nextCall())
                case (.timer, _): break
                case (.source(0), .next):
                    simulation.emit(event)
                    number += 1
                    simulation.setTimer(number, after: span, at: simulation.nextCall())
                case (.source(0), _):
                    number += 1
                    simulation.emit(event)
                default: simulation.emit(event)
                }
            }
        }
    }

    private func takeFor(_ source: ModelSequence, _ span: Int) -> ModelSequence {
        timers(source, start: span) { simulation in
            { cause, event, _ in simulation.emit(cause == .timer(0) ? .completed : event) }
        }
    }

    private func skipFor(_ source: ModelSequence, _ span: Int) -> ModelSequence {
        timers(source, start: span) { simulation in
            var isOpen = false
            return { cause, event, _ in
                if cause == .timer(0) { return isOpen = true }
                if isOpen || event.isTerminal { simulation.emit(event) }
            }
        }
    }

    /// A buffer is emitted when it is full or when `span` has passed since the last one.
    private func buffer(_ source: ModelSequence, _ span: Int, _ count: Int) -> ModelSequence {
        timers(source, start: span) { simulation in
            var kept: [Int] = []
            var number = 0
            func flush() {
                simulation.next(Self.digest(kept))
                kept = []
                number += 1
                simulation.setTimer(number, after: span, at: simulation.nextCall())
            }
            return { cause, event, _ in
                switch (cause, event) {
                case (.timer(number), _): flush()
                case (.timer, _): break
                case (_, .next(let value)):
                    kept.append(value)
                    if kept.count == count { flush() }
                case (_, .completed):
                    simulation.next(Self.digest(kept))
                    simulation.completed()
                default: simulation.emit(event)
                }
            }
        }
    }
}
