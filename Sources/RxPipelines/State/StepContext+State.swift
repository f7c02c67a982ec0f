import RxEngine

extension StepContext {
    /// Makes a cell of the step that is being started, with the restored value if there is one.
    func cell<Value>(_ initial: Value, _ coding: StateCoding<Value>) -> StateCell<Value> {
        memory?.cell(path, initial, coding) ?? StateCell(initial, coding)
    }

    /// The context for steps inside this step, with a state of their own under `name`.
    func inside(_ name: String) -> StepContext {
        var inner = self
        inner.path = path.isEmpty ? name : "\(path)/\(name)"
        inner.step = memory?.step(at: inner.path)
        return inner
    }

    /// The context for steps whose state is not saved.
    var volatile: StepContext {
        var inner = self
        inner.memory = nil
        inner.step = nil
        return inner
    }

    /// Detects whether there was any event, in this process or in the previous ones whose state was restored.
    ///
    /// - Returns: the events, and a closure that returns `true` once, if there was none.
    func detectingEmpty(
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

    /// Processes an event exactly once: if the step processed it before the redelivery, returns the result of that
    /// time.
    ///
    /// If `body` throws, the step has not processed the event.
    func once(_ event: PipelineEvent, _ body: () throws -> PipelineEvent?) rethrows -> PipelineEvent? {
        guard let step, event.isTracked else { return try body() }
        if let result = event.result(of: step) { return event.with(result) }
        do {
            let output = try body()
            event.changeResults { $0.add(output.map { .init($0) }, of: step, in: event.branch) }
            return output?.withoutDerivedMemory
        } catch {
            event.changeResults { $0.fail(at: step, in: event.branch) }
            throw error
        }
    }

    /// Whether the step processes the event for the first time. An event that it processed before the redelivery is
    /// older than the step's state.
    func isNew(_ event: PipelineEvent) -> Bool {
        var isNew = false
        _ = once(event) {
            isNew = true
            return nil
        }
        return isNew
    }

    /// Whether the step may have processed the event before a restart.
    func isRecalling(_ event: PipelineEvent) -> Bool { memory?.isResumed == true && event.isRecalled }

    /// Emits the results of `transform`, called once for each event, and completes when `isOver` returns `true`. After a
    /// restart, completion waits for a new event, since events that it received before may be redelivered.
    func ending(
        _ events: Observable<PipelineEvent>, _ operation: Operator, isOver: @escaping @Sendable () -> Bool,
        _ transform: @escaping @Sendable (PipelineEvent) throws -> PipelineEvent?
    ) -> Observable<PipelineEvent> {
        events.compactMap(countedAs: operation) { event -> (event: PipelineEvent?, isLast: Bool)? in
            let result = try attemptOnce(event) { try transform(event) }
            let isLast = isOver() && !isRecalling(event)
            return result == nil && !isLast ? nil : (result, isLast)
        }
        .take(until: { $0.isLast }, behavior: .inclusive)
        .compactMap(\.event)
    }

    /// Passes events through an operator that emits them later or drops them, such as `debounce`. Redelivered events
    /// that it emitted or dropped before bypass it.
    ///
    /// - Parameters:
    ///   - events: the events.
    ///   - supersedes: whether an event replaces the one before, if that was not emitted yet.
    ///   - through: applies the operator.
    func later(
        _ events: Observable<PipelineEvent>, supersedes: Bool = false,
        _ through: @escaping @Sendable (Observable<PipelineEvent>) -> Observable<PipelineEvent>
    ) -> Observable<PipelineEvent> {
        guard memory != nil else { return through(events) }
        return .deferred {
            let bypass = RedeliveryBypass(memory, path: path)
            return bypass.later(through(supersedes ? bypass.superseding(events) : bypass.entering(events)))
        }
    }

    /// Applies an operator as ``later(_:supersedes:_:)`` does, if it drops the events that arrive while it is busy.
    ///
    /// An example is `flatMapFirst`.
    ///
    /// - Parameters:
    ///   - events: the events.
    ///   - through: applies the operator, which calls the second argument for each event that it does not drop.
    func laterUnlessBusy(
        _ events: Observable<PipelineEvent>,
        _ through:
            @escaping @Sendable (Observable<PipelineEvent>, @escaping @Sendable () -> Void) -> Observable<PipelineEvent>
    ) -> Observable<PipelineEvent> {
        guard memory != nil else { return through(events) {} }
        return .deferred {
            let bypass = RedeliveryBypass(memory, path: path)
            return bypass.later(through(bypass.trackingResults(events)) { bypass.deferResult() })
        }
    }
}

extension PipelineEvent {
    /// Counts an arrival of the event at a step, and returns the step's result from before the redelivery.
    func result(of step: String) -> StepResults.Result? {
        guard isRecalled else { return nil }
        var result: StepResults.Result?
        delivery?.changeResults { result = $0.arrive(at: step, in: branch) }
        return result
    }

    /// Whether steps note their results for the event. They do not for the events of an endless inner source: a
    /// redelivered outer event makes new ones.
    var isTracked: Bool { delivery != nil && suffix == nil }

    /// Whether steps may have processed the event before it was redelivered.
    var isRecalled: Bool { origin.isRedelivered && isTracked }

    /// Changes the steps' results for the event.
    package func changeResults(_ body: (inout StepResults) -> Void) {
        if isTracked { delivery?.changeResults(body) }
    }
}
