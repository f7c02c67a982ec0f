import RxEngine
import RxJQ
import RxJSON

/// Routes redelivered events around an operator that has processed them before: they take their results from then, see
/// ``StepResults``, since the state of the operator already includes later events.
final class RedeliveryBypass: Sendable {
    /// Identifies the operator; `nil` if nothing is saved.
    private let step: String?
    private let isResumed: Bool
    private let bypassed = PublishSubject<PipelineEvent>()
    private let processing = Locked<Processing?>(nil)
    /// The event that the operator may emit later, held weakly so that it can be settled.
    private let candidate = Locked<Candidate?>(nil)

    /// An event that was delivered again, which a step with restored memory may already have processed.
    private struct Candidate {
        weak var delivery: (any Delivery)?
        let branch: EventBranch
    }

    /// The event that the step is processing, and what it has emitted for it.
    private struct Processing {
        let event: PipelineEvent
        var output: StepResults.Output?
        var hasFailed = false
    }

    init(_ memory: NodeMemory?, path: String) {
        step = memory?.step(at: path)
        isResumed = memory?.isResumed ?? false
    }

    /// The events for the operator, without those that bypass it.
    func entering(_ events: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        isResumed ? events.filter { !self.bypasses($0) } : events
    }

    /// Whether the event bypasses the operator; if so, its result is emitted.
    private func bypasses(_ event: PipelineEvent) -> Bool {
        guard let step, let result = event.result(of: step) else { return false }
        if let output = event.with(result) { bypassed.onNext(output) }
        return true
    }

    /// Merges the output of the operator with the results of the events that bypass it.
    func leaving(_ events: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        guard isResumed else { return events }
        return .merge(bypassed.asObservable(), events.do(onCompleted: { self.bypassed.onCompleted() }))
    }

    /// Does the work of ``leaving(_:)`` for an operator that emits the events that have entered it at a later time.
    func later(_ events: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        leaving(
            events.map { event in
                self.setResult(event, of: [event])
                return event
            })
    }

    // MARK: - Results

    /// Records that the operator has made `output` of events that entered it earlier: it is the result of the last one,
    /// and the others have none.
    func setResult(_ output: PipelineEvent, of events: [PipelineEvent]) {
        guard let step else { return }
        for event in events.dropLast() { event.changeResults { $0.addLater(nil, of: step, in: event.branch) } }
        if let last = events.last { last.changeResults { $0.addLater(.init(output), of: step, in: last.branch) } }
        candidate.withLock { $0 = nil }
    }

    /// Does the work of ``entering(_:)`` for an operator that emits the latest event later, such as `debounce`.
    ///
    /// An event that is replaced before it is emitted has no result.
    func superseding(_ events: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        entering(events).do(onNext: { event in
            guard let step = self.step else { return }
            let before = self.candidate.withLock { candidate in
                defer {
                    candidate =
                        event.isTracked ? Candidate(delivery: event.delivery, branch: event.branch) : nil
                }
                return candidate
            }
            if let before { before.delivery?.changeResults { $0.addLater(nil, of: step, in: before.branch) } }
        })
    }

    /// Does the work of ``entering(_:)`` for an operator that emits at most one event for each event, synchronously.
    ///
    /// The result is recorded after each call, also if there is none.
    func trackingResults(_ events: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        entering(events).do(
            onNext: { event in self.processing.withLock { $0 = Processing(event: event) } },
            afterNext: { _ in self.finishCurrent() })
    }

    /// The event that the operator is processing.
    var current: PipelineEvent? { processing.withLock { $0?.event } }

    /// Sets the result of the event that is being processed.
    func emit(_ event: PipelineEvent) {
        processing.withLock { $0?.output = .init(event) }
    }

    /// Notes no result for the event that is being processed: the operator emits it later, and its result is noted
    /// then.
    func deferResult() {
        processing.withLock { $0 = nil }
    }

    /// Notes that the operator fails on the event that is being processed.
    func fail() {
        processing.withLock { $0?.hasFailed = true }
    }

    private func finishCurrent() {
        guard let processing = processing.withLock({ $0.take() }), let step else { return }
        processing.event.changeResults { results in
            let branch = processing.event.branch
            if processing.hasFailed {
                results.fail(at: step, in: branch)
            } else {
                results.add(processing.output, of: step, in: branch)
            }
        }
    }
}
