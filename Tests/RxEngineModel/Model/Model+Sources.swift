extension Model {
    /// How many elements the model makes of an endless synchronous sequence.
    static let endless = 30

    func source(_ source: Source) -> ModelSequence {
        switch source {
        case .hot(let number): hot(number)
        case .cold(let id, let events): cold(id, events)
        case .subject, .shared, .via: notModelled
        case .just(let value): direct([.next(value), .completed]).scalar()
        case .empty: direct([.completed])
        case .error(let number): direct([.error(number)])
        case .never: direct([])
        case .optional(let value): direct(value.map { [.next($0), .completed] } ?? [.completed])
        case .of(let values), .from(let values): turns(values.map(ProgramEvent.next) + [.completed])
        case .range(let start, let count): turns((0..<count).map { .next(start + $0) } + [.completed])
        case .generate(let start, let limit, let step, let throwsAt):
            turns(Self.generate(start, limit, step, throwsAt))
        case .repeatElement(let value): turns(Array(repeating: .next(value), count: Self.endless) + [.outOfBudget])
        case .create(let id, let events): create(id, events)
        case .timer(let due): ticks(due, period: nil)
        case .ticks(let due, let period): ticks(due, period: period)
        case .interval(let period): ticks(period, period: period)
        case .justScheduled(let value): scheduled([.next(value), .completed])
        case .ofScheduled(let values), .fromScheduled(let values):
            scheduled(values.map(ProgramEvent.next) + [.completed])
        case .rangeScheduled(let start, let count): scheduled((0..<count).map { .next(start + $0) } + [.completed])
        case .generateScheduled(let start, let limit, let step, let throwsAt):
            scheduled(Self.generate(start, limit, step, throwsAt))
        case .repeatScheduled(let value):
            scheduled(Array(repeating: .next(value), count: Program.lastTick))
        case .ungrammatical(let id, let events): ungrammatical(id, events)
        }
    }

    private func hot(_ number: Int) -> ModelSequence {
        ModelSequence(isPlain: true) { start in
            Run(start: start, events: self.hotEvents(number, from: start)) { cut, builder in
                builder.note(.hotSubscribed(number), at: start)
                builder.note(.hotDisposed(number), at: cut.release)
            }
        }
    }

    /// All events are scheduled at the subscription.
    private func cold(_ id: Int, _ list: [TimedEvent]) -> ModelSequence {
        ModelSequence(isPlain: true) { start in
            var events: [Occurrence] = []
            for (number, event) in list.enumerated() {
                let at = Moment.action(at: start.tick + event.tick, scheduledAt: start.step(number))
                events.append(Occurrence(at: at, event: event.event))
                if event.event.isTerminal { break }
            }
            return Run(start: start, events: events) { cut, builder in
                builder.note(.began(id), at: start)
                builder.note(.disposed(id), at: cut.release)
            }
        }
    }

    /// Emits inside `subscribe`.
    private func direct(_ list: [ProgramEvent]) -> ModelSequence {
        ModelSequence(isDirect: true) { start in
            let events = list.enumerated().map { Occurrence(at: start.step($0.offset), event: $0.element) }
            return Run(start: start, events: events) { _, _ in }
        }
    }

    /// Each event is an action of the trampoline, and queues the next.
    private func turns(_ list: [ProgramEvent]) -> ModelSequence {
        ModelSequence { start in
            var queued = start
            let events = list.map { event in
                let turn = queued.turn()
                queued = turn.step(1)
                return Occurrence(at: turn.step(0), event: event)
            }
            return Run(start: start, events: events) { _, _ in }
        }
    }

    /// Each event is an action of the virtual scheduler, and schedules the next.
    private func scheduled(_ list: [ProgramEvent]) -> ModelSequence {
        ModelSequence { start in
            // The later of these are slow to compare: each was scheduled by the one before.
            guard self.spend(list.count) else { return Run(start: start, events: []) { _, _ in } }
            var cause = start
            let events = list.map { event in
                let action = Moment.action(at: cause.tick + 1, scheduledAt: cause)
                cause = action.step(1)
                return Occurrence(at: action.step(0), event: event)
            }
            return Run(start: start, events: events) { _, _ in }
        }
    }

    private static func generate(_ start: Int, _ limit: Int, _ step: Int, _ throwsAt: Int?) -> [ProgramEvent] {
        var events: [ProgramEvent] = []
        var value = start
        while events.count < endless {
            if value == throwsAt { return events + [.error(73)] }
            if value >= limit { return events + [.completed] }
            events.append(.next(value))
            value += step
        }
        return events + [.outOfBudget]
    }

    /// Emits inside `subscribe`; the disposable that it returns is disposed then, if the sequence has ended.
    private func create(_ id: Int, _ list: [ProgramEvent]) -> ModelSequence {
        ModelSequence { start in
            var events: [Occurrence] = []
            for (number, event) in list.enumerated() {
                events.append(Occurrence(at: start.step(number + 1), event: event))
                if event.isTerminal { break }
            }
            let returns = start.step(list.count + 1)
            let hasEnded = events.last?.event.isTerminal == true
            return Run(start: start, events: events) { cut, builder in
                builder.note(.began(id), at: start)
                builder.note(.disposed(id), at: hasEnded ? returns : max(returns, cut.release))
            }
        }
    }

    /// As `create`, but its disposable is disposed with the run: the subscriber ignores events after the end.
    private func ungrammatical(_ id: Int, _ list: [ProgramEvent]) -> ModelSequence {
        ModelSequence { start in
            let created = self.create(id, list).run(start)
            let returns = start.step(list.count + 1)
            return Run(start: start, events: created.events) { cut, builder in
                builder.note(.began(id), at: start)
                builder.note(.disposed(id), at: max(returns, cut.release))
            }
        }
    }

    private func ticks(_ due: Int, period: Int?) -> ModelSequence {
        ModelSequence { start in
            var events: [Occurrence] = []
            var action = Moment.action(at: start.tick + max(1, due), scheduledAt: start)
            while action.tick <= Program.lastTick {
                events.append(Occurrence(at: action.step(1), event: .next(events.count)))
                guard let period else {
                    events.append(Occurrence(at: action.step(2), event: .completed))
                    break
                }
                // The next tick is scheduled before the element is delivered.
                action = .action(at: action.tick + max(1, period), scheduledAt: action.step(0))
            }
            return Run(start: start, events: events) { _, _ in }
        }
    }
}
