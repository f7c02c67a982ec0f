extension Model {
    /// Subscribes to `source` again for each element of the notifications that arrives while it waits.
    ///
    /// The notifications are subscribed to before the source.
    func retryWhen(_ source: ModelSequence, notifications: ModelSequence) -> ModelSequence {
        retryWhen(source, notifications) { { _ in nil } }
    }

    /// Subscribes to `source` again for each element of the sequences that `makeNotify` makes of errors, all of which
    /// are notifications until they end; no sequence passes the error. If it throws, that error ends the run.
    func retryWhen(
        _ source: ModelSequence, _ notifications: ModelSequence? = nil,
        _ makeNotify: @escaping () -> (Int) throws -> ModelSequence?
    ) -> ModelSequence {
        resubscribing(
            source, notifications, makeNotify, at: { if case .error(let number) = $0 { number } else { nil } })
    }

    /// The same with completions in place of errors.
    func repeatWhen(
        _ source: ModelSequence, _ notifications: ModelSequence? = nil,
        _ makeNotify: @escaping () -> (Int) throws -> ModelSequence?
    ) -> ModelSequence {
        resubscribing(source, notifications, makeNotify, at: { $0 == .completed ? 0 : nil })
    }

    private func resubscribing(
        _ source: ModelSequence, _ notifications: ModelSequence?,
        _ makeNotify: @escaping () -> (Int) throws -> ModelSequence?, at cause: @escaping (ProgramEvent) -> Int?
    ) -> ModelSequence {
        ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            let flatMap = notifications == nil
            let notify = makeNotify()
            var notifiers: Set<Int> = []
            if let notifications { notifiers.insert(simulation.subscribe(notifications, at: simulation.nextCall())) }
            simulation.subscribe(source, at: simulation.nextCall())
            var isWaiting = false
            var attempts = 1
            /// The end of the notifications, which replaces the next error.
            var end: ProgramEvent?
            /// When the reaction to an error is done.
            var idle = start
            /// When the latest attempt begins: the end of the notifications ends the run if it comes before.
            var attemptBegins = start
            return simulation.run { origin, event, moment in
                guard case .source(let number) = origin else { return }
                if notifiers.contains(number) {
                    switch event {
                    case .next where isWaiting:
                        isWaiting = false
                        attempts += 1
                        if attempts == Self.endless { return simulation.emit(.outOfBudget) }
                        attemptBegins = max(moment.step(9), idle).step(1)
                        simulation.subscribe(source, at: attemptBegins)
                    case .next: break
                    case .completed where flatMap: break
                    default:
                        if isWaiting || moment < attemptBegins { simulation.emit(event) } else { end = event }
                        for other in notifiers where other != number { simulation.drop(other) }
                    }
                    return
                }
                guard let error = cause(event) else { return simulation.emit(event) }
                var second: ModelSequence?
                if flatMap {
                    do { second = try notify(error) } catch { second = self.source(.error(Failure.number(of: error))) }
                    if second == nil { return simulation.emit(event) }
                }
                let begin = max(moment.step(9), simulation.children[number].returned)
                if let end {
                    simulation.react(at: begin)
                    return simulation.emit(end)
                }
                simulation.children[number].end(silence: moment, release: begin.step(0))
                isWaiting = true
                idle = begin.step(2)
                if let second { notifiers.insert(simulation.subscribe(second, at: begin.step(1))) }
            }
        }
    }

    /// Subscribes to `source` again as the policy says.
    func retry(_ source: ModelSequence, _ policy: OneSource.Policy) -> ModelSequence {
        ModelSequence { start in
            var failures = 0
            let counted =
                policy.elementsReset
                ? source.react {
                    { event, output in
                        if case .next = event { failures = 0 }
                        output.emit(event)
                    }
                } : source
            return self.retryWhen(counted) {
                { error in
                    let wait = try policy.wait(after: error, failures: failures)
                    failures += 1
                    return self.source(wait == 0 ? .just(0) : .timer(wait))
                }
            }.run(start)
        }
    }

    /// One run of `source` for all subscriptions of the result, which is subscribed to first.
    func multicast(_ source: ModelSequence, _ selector: OneSource.Selector) -> ModelSequence {
        if selector == .throws { return failing(78) }
        return ModelSequence { start in
            let inner = InnerSequences()
            let connection = source.run(start.step(1))
            let subject = inner.open()
            for occurrence in connection.events { inner.send(occurrence.event, to: subject, at: occurrence.at) }
            let shared = inner.sequence(subject)
            let result =
                switch selector {
                case .mergedTwice: self.many(.merge, [shared, shared])
                case .zippedWithRest: self.many(.zip, [shared, self.one(.skip(1), shared)])
                case .firstElement: self.one(.take(1), shared)
                default: shared
                }
            let run = result.run(start.step(0))
            let made = start.step(2)
            // A connection that ends during its start may still subscribe to something, which the contract leaves open.
            if let end = connection.events.last, end.event.isTerminal, end.at < made {
                self.meets(.multicastEndedInStart)
            }
            return Run(start: start, events: run.events) { cut, builder in
                run.end(cut, builder)
                // The subscriber for which it is made may have ended by then: it stops, and is released when it has
                // been made.
                connection.end(
                    Cut(silence: cut.silence, release: max(cut.release, made), request: cut.request), builder)
            }
        }
    }
}

extension OneSource.Policy {
    /// How long to wait; throws the error if the policy passes it.
    fileprivate func wait(after error: Int, failures: Int) throws -> Int {
        if error == passes { throw Failure(error) }
        if let times, failures >= times { throw Failure(error) }
        return isExponential ? min(span * 3, span << failures) : span
    }
}
