import RxEngine

// Unchecked: used on the pipeline's scheduler alone, but for the active run: it is disposed on any thread.
/// The input of steps that start again when they fail. It keeps the events that come while none of their runs is
/// active, and passes the next run those that were in flight when one failed.
final class RestartInput: @unchecked Sendable {
    /// What is in flight in the steps.
    private let entries: StepEntries?
    /// What the next run is given for an event that was in flight.
    private let again: @Sendable (PipelineEvent) -> PipelineEvent
    /// What waits for the next run.
    private var waiting: [Waiting] = []
    /// How the source has ended, which every run receives.
    private var end: Event<Never>?
    private let activeRun = Locked<Sink<PipelineEvent>?>(nil)
    /// The active run.
    private var run: Sink<PipelineEvent>? {
        get { activeRun.withLock { $0 } }
        set { withExtendedLifetime(activeRun.withLock { run in (run, run = newValue).0 }) {} }
    }
    /// Whether events wait where no run is active. Otherwise they are dropped: the steps do not want them yet.
    private var isHolding = true
    private var isPassing = false
    /// The event that the steps are being given.
    private var current: PipelineEvent?

    private struct Waiting {
        let event: PipelineEvent
        /// Whether the event was in flight when a run failed.
        var comesAgain = false
    }

    /// - Parameters:
    ///   - isTracking: whether there are steps, which may hold events.
    ///   - again: what the next run is given for an event that was in flight.
    init(isTracking: Bool = true, again: @escaping @Sendable (PipelineEvent) -> PipelineEvent) {
        entries = isTracking ? StepEntries() : nil
        self.again = again
    }

    /// The events for one run of the steps.
    var events: Observable<PipelineEvent> {
        .source { sink in
            let place = ObjectIdentifier(sink)
            self.run = sink
            self.pass()
            return Disposables.create {
                let ended = self.activeRun.withLock { run -> Sink<PipelineEvent>? in
                    guard run.map({ ObjectIdentifier($0) }) == place else { return nil }
                    defer { run = nil }
                    return run
                }
                withExtendedLifetime(ended) {}
            }
        }
    }

    /// What leaves the steps.
    func leaving(_ event: PipelineEvent) -> PipelineEvent { entries.map { event.leaving($0) } ?? event }

    /// A run is about to start. Until it is active, what comes is dropped.
    func starts() { isHolding = false }

    func take(_ event: PipelineEvent) {
        if run == nil, !isHolding { return }
        waiting.append(Waiting(event: event))
        pass()
    }

    /// The source has ended.
    func end(_ end: Event<Never>) {
        self.end = end
        pass()
    }

    /// The run has failed: all that was in flight, but for the event that it failed on, waits for the next one.
    ///
    /// - Parameter event: the event that it failed on, if the failure names it; else that is the one that it was being
    ///   given.
    /// - Returns: the event that it failed on, and those in flight.
    @discardableResult
    func runHasFailed(on event: PipelineEvent?) -> (event: PipelineEvent?, inFlight: [SourceEvent]) {
        let failed = event ?? current
        let left = entries?.left(without: failed?.delivery) ?? []
        waiting = left.map { Waiting(event: $0, comesAgain: true) } + waiting
        isHolding = true
        // The steps release what they hold.
        run = nil
        return (failed, left.map(\.origin))
    }

    /// Removes what waits for the next run.
    ///
    /// - Returns: the events.
    @discardableResult
    func takeWaiting() -> [PipelineEvent] {
        let events = waiting.map(\.event)
        waiting = []
        return events
    }

    /// What runs of the steps make of the events of a source, which are taken in as soon as the first of them is
    /// active.
    func running(_ runs: Observable<PipelineEvent>, on source: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        .source { sink in
            let running = runs.map { self.leaving($0) }.run(sink)
            let incoming = source.subscribe(
                onNext: { self.take($0) }, onError: { self.end(.error($0)) }, onCompleted: { self.end(.completed) })
            return Disposables.create(running, incoming)
        }
    }

    private func pass() {
        if isPassing { return }
        isPassing = true
        defer { isPassing = false }
        while let run, run.live.isActive {
            if waiting.isEmpty {
                guard let end else { return }
                run.stop(with: end)
                // Another run may have begun.
                if self.run === run { return }
            } else {
                let next = waiting.removeFirst()
                let given = next.comesAgain ? again(next.event) : next.event
                let event = entries?.enter(given) ?? given
                current = event
                run.next(event)
                current = nil
            }
        }
    }
}

extension Sink {
    fileprivate func stop(with end: Event<Never>) {
        switch end {
        case .error(let error): self.error(error)
        case .completed: completed()
        }
    }
}
