extension Model {
    func timed(_ name: OneSource, _ source: ModelSequence) -> ModelSequence {
        switch name {
        case .debounce(let span): debounce(source, span)
        case .throttle(let span, let latest): throttle(source, span, latest: latest)
        case .delay(let span): delay(source, span)
        case .delaySubscription(let span): delaySubscription(source, span)
        case .timeout(let span): timeout(source, span, other: self.source(.error(Failure.timeout)))
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

    /// One source and timers: timer 0 from the start, where there is a span for it.
    private func timers(
        _ source: ModelSequence, start span: Int? = nil,
        _ makeReaction: @escaping (Mix) -> (Mix.Cause, ProgramEvent, Moment) throws -> Void
    ) -> ModelSequence {
        ModelSequence { start in
            let mix = Mix(self, at: start)
            if let span { mix.setTimer(0, after: span, at: mix.nextCall()) }
            mix.subscribe(source, at: mix.nextCall())
            return mix.run(makeReaction(mix))
        }
    }

    /// Each element sets a timer of its own; the last one set counts.
    private func debounce(_ source: ModelSequence, _ span: Int) -> ModelSequence {
        timers(source) { mix in
            var waiting: Int?
            var number = 0
            return { cause, event, _ in
                switch (cause, event) {
                case (.timer(number), _):
                    if let value = waiting { mix.next(value) }
                    waiting = nil
                case (.timer, _): break
                case (_, .next(let value)):
                    waiting = value
                    number += 1
                    mix.setTimer(number, after: span, at: mix.nextCall())
                case (_, .completed):
                    if let waiting { mix.next(waiting) }
                    mix.completed()
                default: mix.emit(event)
                }
            }
        }
    }

    /// No more than one element in `span`, counted from each that was delivered.
    private func throttle(_ source: ModelSequence, _ span: Int, latest: Bool) -> ModelSequence {
        timers(source) { mix in
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
                        mix.next(value)
                        delivered = moment.tick
                    }
                    if hasCompleted { mix.completed() }
                case (.timer, _): break
                case (_, .next(let value)):
                    if left <= 0 {
                        waiting = nil
                        mix.next(value)
                        delivered = moment.tick
                    } else if latest {
                        if waiting == nil {
                            number += 1
                            mix.setTimer(number, after: left, at: mix.nextCall())
                        }
                        waiting = value
                    }
                case (_, .completed) where waiting != nil: hasCompleted = true
                default: mix.emit(event)
                }
            }
        }
    }

    /// One timer, for the oldest of the events that wait: each event is an action of its own.
    private func delay(_ source: ModelSequence, _ span: Int) -> ModelSequence {
        timers(source) { mix in
            var waiting: [(tick: Int, event: ProgramEvent)] = []
            return { cause, event, moment in
                if case .timer = cause {
                    mix.emit(waiting.removeFirst().event)
                    if let next = waiting.first {
                        mix.setTimer(0, after: next.tick + span - moment.tick, at: mix.nextCall())
                    }
                } else if case .error = event {
                    mix.emit(event)
                } else {
                    waiting.append((moment.tick, event))
                    if waiting.count == 1 { mix.setTimer(0, after: span, at: mix.nextCall()) }
                }
            }
        }
    }

    private func observeOn(_ source: ModelSequence) -> ModelSequence {
        timers(source) { mix in
            var waiting: [ProgramEvent] = []
            return { cause, event, _ in
                if case .timer = cause {
                    mix.emit(waiting.removeFirst())
                    if !waiting.isEmpty { mix.setTimer(0, after: 0, at: mix.nextCall()) }
                } else {
                    waiting.append(event)
                    if waiting.count == 1 { mix.setTimer(0, after: 0, at: mix.nextCall()) }
                }
            }
        }
    }

    private func delaySubscription(_ source: ModelSequence, _ span: Int) -> ModelSequence {
        ModelSequence { start in
            let mix = Mix(self, at: start)
            mix.setTimer(0, after: span, at: mix.nextCall())
            return mix.run { cause, event, _ in
                if case .timer = cause { mix.subscribe(source, at: mix.nextCall()) } else { mix.emit(event) }
            }
        }
    }

    /// Disposing it frees the source on the scheduler, a tick later; an end frees it at once.
    private func subscribeOn(_ source: ModelSequence) -> ModelSequence {
        ModelSequence { start in
            let late = self.delaySubscription(source, 0).run(start)
            return Run(start: start, events: late.events) { cut, journal in
                let hasEnded = late.events.last.map { $0.event.isTerminal && $0.at <= cut.silence } == true
                let isStarted = start.tick < cut.release.tick && cut.release.tick < .max
                if hasEnded || !isStarted { return late.end(cut, journal) }
                if !source.isPlain || cut.release.tick == start.tick + 1 { self.meets(.subscribeOnDisposed) }
                let release = Moment.action(at: cut.release.tick + 1, scheduledAt: cut.release)
                // The source may end before it is freed.
                if let end = late.events.last, end.event.isTerminal, end.at < release {
                    self.meets(.subscribeOnDisposed)
                }
                late.end(Cut(silence: cut.silence, release: release), journal)
            }
        }
    }

    /// An element in time, even at the last tick, starts the span anew once it has been delivered.
    func timeout(_ source: ModelSequence, _ span: Int, other: ModelSequence) -> ModelSequence {
        timers(source, start: span) { mix in
            var number = 0
            return { cause, event, _ in
                switch (cause, event) {
                case (.timer(number), _):
                    mix.drop(0)
                    mix.subscribe(other, at: mix.nextCall())
                case (.timer, _): break
                case (.source(0), .next):
                    mix.emit(event)
                    number += 1
                    mix.setTimer(number, after: span, at: mix.nextCall())
                case (.source(0), _):
                    number += 1
                    mix.emit(event)
                default: mix.emit(event)
                }
            }
        }
    }

    private func takeFor(_ source: ModelSequence, _ span: Int) -> ModelSequence {
        timers(source, start: span) { mix in
            { cause, event, _ in mix.emit(cause == .timer(0) ? .completed : event) }
        }
    }

    private func skipFor(_ source: ModelSequence, _ span: Int) -> ModelSequence {
        timers(source, start: span) { mix in
            var isOpen = false
            return { cause, event, _ in
                if cause == .timer(0) { return isOpen = true }
                if isOpen || event.isTerminal { mix.emit(event) }
            }
        }
    }

    /// A buffer is emitted when it is full or when `span` has passed since the last one.
    private func buffer(_ source: ModelSequence, _ span: Int, _ count: Int) -> ModelSequence {
        timers(source, start: span) { mix in
            var kept: [Int] = []
            var number = 0
            func flush() {
                mix.next(Self.digest(kept))
                kept = []
                number += 1
                mix.setTimer(number, after: span, at: mix.nextCall())
            }
            return { cause, event, _ in
                switch (cause, event) {
                case (.timer(number), _): flush()
                case (.timer, _): break
                case (_, .next(let value)):
                    kept.append(value)
                    if kept.count == count { flush() }
                case (_, .completed):
                    mix.next(Self.digest(kept))
                    mix.completed()
                default: mix.emit(event)
                }
            }
        }
    }
}
