import RxEngine

extension StepSurroundings {
    /// The cell of the step that is being started, with the value of the snapshot if there is one.
    func cell<Value>(_ initial: Value, _ coding: StateCoding<Value>) -> StateCell<Value> {
        memory?.cell(path, initial, coding) ?? StateCell(initial, coding)
    }

    /// These surroundings for steps inside the step, which have state of their own under `name`.
    func inside(_ name: String) -> StepSurroundings {
        var inner = self
        inner.path = path.isEmpty ? name : "\(path)/\(name)"
        return inner
    }

    /// These surroundings for steps whose state is not saved.
    var volatile: StepSurroundings {
        var inner = self
        inner.memory = nil
        return inner
    }

    /// Processes an event once: if the step processed it before the redelivery, returns what it emitted then.
    ///
    /// A step that throws has not processed the event.
    func once(_ event: PipelineEvent, _ body: () throws -> PipelineEvent?) rethrows -> PipelineEvent? {
        guard let step, let delivery = event.delivery else { return try body() }
        if let result = event.result(of: step) { return result.output.map { event.with($0) } }
        do {
            let output = try body()
            delivery.results { $0.add(output?.value, of: step) }
            return output
        } catch {
            delivery.results { $0.fail(at: step) }
            throw error
        }
    }

    /// Whether the step has not processed the event before it was redelivered, which makes it older than what the step remembers.
    func isNew(_ event: PipelineEvent) -> Bool {
        var isNew = false
        _ = once(event) {
            isNew = true
            return nil
        }
        return isNew
    }

    /// Identifies the step for ``StepResults``; `nil` if nothing is saved.
    private var step: String? { memory.map { "\($0.run)/\(path)" } }

    /// Puts events through a step that decides later which of them it emits, such as `debounce`. Those that it emitted before the
    /// redelivery pass it by.
    func later(
        _ events: Observable<PipelineEvent>,
        _ through: @escaping @Sendable (Observable<PipelineEvent>) -> Observable<PipelineEvent>
    ) -> Observable<PipelineEvent> {
        guard memory != nil else { return through(events) }
        return .deferred {
            let bypass = Bypass(memory, path: path)
            return bypass.leaving(
                through(bypass.entering(events)).map { event in
                    bypass.note(event.value, of: [event])
                    return event
                })
        }
    }
}

extension PipelineEvent {
    /// What a step made of the event, which arrives there, before it was redelivered.
    func result(of step: String) -> StepResults.Result? {
        origin.isRedelivered ? delivery?.results { $0.arrive(at: step) } ?? nil : nil
    }
}

extension Observable where Element == PipelineEvent {
    /// Emits what `decide` makes of each event, and completes after one for which it says so.
    func ending(
        _ operation: Operator,
        _ decide: @escaping @Sendable (PipelineEvent) throws -> (event: PipelineEvent?, isLast: Bool)
    ) -> Observable<PipelineEvent> {
        compactMap(countedAs: operation) { event -> (event: PipelineEvent?, isLast: Bool)? in
            let decision = try decide(event)
            return decision.event == nil && !decision.isLast ? nil : decision
        }
        .take(until: { $0.isLast }, behavior: .inclusive)
        .compactMap(\.event)
    }
}
