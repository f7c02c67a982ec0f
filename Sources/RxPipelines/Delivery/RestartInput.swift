import RxEngine
import RxLinux

// Unchecked: used on the pipeline's scheduler only, except for the active run and the waiting events, which have locks:
// a pipeline may be disposed on any thread.
/// The input of steps that restart when they fail. It queues the events that arrive while no run of the steps is
/// active, and redelivers to the next run the events that were in flight when a run failed.
final class RestartInput: @unchecked Sendable {
    /// The events in flight in the steps; `nil` if they are not tracked.
    private let entries: StepEntryTracker?
    /// Prepares an event that was in flight for the next run.
    private let prepareAgain: @Sendable (PipelineEvent) -> PipelineEvent
    /// The queue of events for the active or the next run.
    private let waiting = Locked<Queue<WaitingEvent>>([])
    /// The final event of the source, which every run receives.
    private var end: Event<Never>?
    private let activeRun = Locked<Sink<PipelineEvent>?>(nil)
    /// The active run.
    private var run: Sink<PipelineEvent>? {
        get { activeRun.withLock { $0 } }
        set { withExtendedLifetime(activeRun.withLock { run in (run, run = newValue).0 }) {} }
    }
    /// Whether events are queued while no run is active. Otherwise they are dropped, since the steps have not
    /// subscribed yet.
    private var isHolding = true
    /// Whether a call passes queued events to the steps: one that arrives meanwhile is queued.
    private var isDraining = false
    /// The event that is being passed to the steps.
    private var current: PipelineEvent?

    /// An event that waits for the next run of the steps.
    private struct WaitingEvent {
        let event: PipelineEvent
        /// Whether the event was in flight when a run failed.
        var wasInFlight = false
    }

    /// - Parameters:
    ///   - isTracking: whether there are steps, which may hold events.
    ///   - prepareAgain: returns the event for the next run, given one that was in flight.
    init(isTracking: Bool = true, prepareAgain: @escaping @Sendable (PipelineEvent) -> PipelineEvent) {
        entries = isTracking ? StepEntryTracker() : nil
        self.prepareAgain = prepareAgain
    }

    /// The events for one run of the steps. Each subscription is a run.
    var events: Observable<PipelineEvent> {
        .source { sink in
            let identity = ObjectIdentifier(sink)
            self.run = sink
            self.drain()
            return Disposables.create {
                let ended = self.activeRun.withLock { run -> Sink<PipelineEvent>? in
                    guard run.map({ ObjectIdentifier($0) }) == identity else { return nil }
                    defer { run = nil }
                    return run
                }
                withExtendedLifetime(ended) {}
            }
        }
    }

    /// Returns an event that leaves the steps, without the delivery of these.
    func leaving(_ event: PipelineEvent) -> PipelineEvent { entries.map { event.leaving($0) } ?? event }

    /// Announces a run. Events that arrive before it is active are dropped.
    func willStart() { isHolding = false }

    /// Passes an event of the source to the active run, or queues it.
    func receive(_ event: PipelineEvent) {
        if run == nil, !isHolding { return }
        waiting.withLock { $0.append(WaitingEvent(event: event)) }
        drain()
    }

    /// Ends every run after the queued events: the source has ended.
    func end(_ end: Event<Never>) {
        self.end = end
        drain()
    }

    /// Called when the run has failed: queues the events in flight for the next run, except the event that it failed
    /// on.
    ///
    /// - Parameter event: the event that the run failed on, if the failure names it; `nil` for the event that was being
    ///   passed to the steps.
    /// - Returns: the event that the run failed on, and the events in flight.
    @discardableResult
    func runHasFailed(on event: PipelineEvent?) -> (event: PipelineEvent?, inFlight: [SourceEvent]) {
        let failed = event ?? current
        let left = entries?.left(without: failed?.delivery) ?? []
        waiting.withLock { $0 = Queue(left.map { WaitingEvent(event: $0, wasInFlight: true) } + $0) }
        isHolding = true
        // Releasing the run releases the events that the steps hold.
        run = nil
        return (failed, left.map(\.origin))
    }

    /// Removes and returns the queued events.
    @discardableResult
    func takeWaiting() -> [PipelineEvent] {
        let taken = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        return taken.map(\.event)
    }

    /// The output of these runs of the steps for the events of a source. The source is subscribed to after the first
    /// run.
    ///
    /// - Parameters:
    ///   - runs: the runs, which subscribe to ``events``.
    ///   - source: the source of the events.
    func running(_ runs: Observable<PipelineEvent>, on source: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        .source { sink in
            let running = runs.map { self.leaving($0) }.run(sink)
            let incoming = source.subscribe(
                onNext: { self.receive($0) }, onError: { self.end(.error($0)) }, onCompleted: { self.end(.completed) })
            return Disposables.create(running, incoming)
        }
    }

    /// Passes queued events to the active run, one at a time. A `SerializedDrain` is not needed: all calls are on the
    /// pipeline's scheduler.
    private func drain() {
        if isDraining { return }
        isDraining = true
        defer { isDraining = false }
        while let run, run.live.isActive {
            let next = waiting.withLock { $0.popFirst() }
            if let next {
                let given = next.wasInFlight ? prepareAgain(next.event) : next.event
                let event = entries?.enter(given) ?? given
                current = event
                run.next(event)
                current = nil
            } else {
                guard let end else { return }
                run.stop(with: end)
                // A restart may have made another run active.
                if self.run === run { return }
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
