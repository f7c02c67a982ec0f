import RxEngine

extension StepContext {
    /// The cell of the step that is being started, with the value of the snapshot if there is one.
    func cell<Value>(_ initial: Value, _ coding: StateCoding<Value>) -> StateCell<Value> {
        memory?.cell(path, initial, coding) ?? StateCell(initial, coding)
    }

    /// This context for steps inside the step, which have state of their own under `name`.
    func inside(_ name: String) -> StepContext {
        var inner = self
        inner.path = path.isEmpty ? name : "\(path)/\(name)"
        inner.step = memory?.step(at: inner.path)
        return inner
    }

    /// This context for steps whose state is not saved.
    var volatile: StepContext {
        var inner = self
        inner.memory = nil
        inner.step = nil
        return inner
    }

    /// These events, and whether there has been none: in this process, and in those whose state it goes on from. That
    /// is answered with true once.
    func noting(
        _ events: Observable<PipelineEvent>
    ) -> (events: Observable<PipelineEvent>, isEmpty: @Sendable () -> Bool) {
        let isOver = inside("isOver").cell(false, .flag)
        let isFirst: @Sendable () -> Bool = {
            if isOver.value { return false }
            isOver.value = true
            return true
        }
        return (events.map { event in (event, isFirst()).0 }, isFirst)
    }

    /// Processes an event once: if the step processed it before the redelivery, returns what it emitted then.
    ///
    /// A step that throws has not processed the event.
    func once(_ event: PipelineEvent, _ body: () throws -> PipelineEvent?) rethrows -> PipelineEvent? {
        guard let step, event.isTracked else { return try body() }
        if let result = event.result(of: step) { return event.with(result) }
        do {
            let output = try body()
            event.changeResults { $0.add(output.map { .init($0) }, of: step, in: event.branch) }
            return output
        } catch {
            event.changeResults { $0.fail(at: step, in: event.branch) }
            throw error
        }
    }

    /// Whether the step has not processed the event before it was redelivered, which makes it older than what the step
    /// remembers.
    func isNew(_ event: PipelineEvent) -> Bool {
        var isNew = false
        _ = once(event) {
            isNew = true
            return nil
        }
        return isNew
    }

    /// Whether an event may be one that the step processed before a restart.
    func isRecalling(_ event: PipelineEvent) -> Bool { memory?.isResumed == true && event.isRecalled }

    /// Emits what `take` makes of each event, once, and completes when `isOver`. After a restart, that waits for a new
    /// event: those that were taken before may come again.
    func ending(
        _ events: Observable<PipelineEvent>, _ operation: Operator, isOver: @escaping @Sendable () -> Bool,
        _ take: @escaping @Sendable (PipelineEvent) throws -> PipelineEvent?
    ) -> Observable<PipelineEvent> {
        events.compactMap(countedAs: operation) { event -> (event: PipelineEvent?, isLast: Bool)? in
            let taken = try attemptOnce(event) { try take(event) }
            let isLast = isOver() && !isRecalling(event)
            return taken == nil && !isLast ? nil : (taken, isLast)
        }
        .take(until: { $0.isLast }, behavior: .inclusive)
        .compactMap(\.event)
    }

    /// Puts events through a step that decides later which of them it emits, such as `debounce`. Those that it emitted
    /// before the redelivery pass it by.
    ///
    /// - Parameter supersedes: whether an event that enters replaces the one before, if that was not emitted.
    func later(
        _ events: Observable<PipelineEvent>, supersedes: Bool = false,
        _ through: @escaping @Sendable (Observable<PipelineEvent>) -> Observable<PipelineEvent>
    ) -> Observable<PipelineEvent> {
        guard memory != nil else { return through(events) }
        return .deferred {
            let bypass = Bypass(memory, path: path)
            return bypass.later(through(supersedes ? bypass.superseding(events) : bypass.entering(events)))
        }
    }

    /// The same for a step that drops the events that enter while it is busy, such as `flatMapFirst`.
    ///
    /// - Parameter through: calls its second argument for each event that it does not drop.
    func laterUnlessBusy(
        _ events: Observable<PipelineEvent>,
        _ through:
            @escaping @Sendable (Observable<PipelineEvent>, @escaping @Sendable () -> Void) -> Observable<PipelineEvent>
    ) -> Observable<PipelineEvent> {
        guard memory != nil else { return through(events) {} }
        return .deferred {
            let bypass = Bypass(memory, path: path)
            return bypass.later(through(bypass.takingTurns(events)) { bypass.keep() })
        }
    }
}

extension PipelineEvent {
    /// What a step made of the event, which arrives there, before it was redelivered.
    func result(of step: String) -> StepResults.Result? {
        guard isRecalled else { return nil }
        var result: StepResults.Result?
        delivery?.changeResults { result = $0.arrive(at: step, in: branch) }
        return result
    }

    /// Whether steps note what they make of the event. Of those that an endless inner source makes they do not: a
    /// redelivered outer event makes new ones.
    var isTracked: Bool { delivery != nil && suffix == nil }

    /// Whether steps may have processed the event before it was redelivered.
    var isRecalled: Bool { origin.isRedelivered && isTracked }

    /// Changes what steps made of the event.
    package func changeResults(_ body: (inout StepResults) -> Void) {
        if isTracked { delivery?.changeResults(body) }
    }
}
