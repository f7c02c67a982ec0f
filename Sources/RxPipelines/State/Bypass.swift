import RxEngine
import RxJQ
import RxJSON

/// A way around an operator for redelivered events: those that it processed before take the results from then, see
/// ``StepResults``, since it remembers later events.
final class Bypass: Sendable {
    /// Identifies the operator; `nil` if nothing is saved.
    private let step: String?
    private let isResumed: Bool
    private let passing = PublishSubject<PipelineEvent>()
    private let turn = Locked<Turn?>(nil)
    /// The event that the operator may emit later. It does not keep it from being settled.
    private let candidate = Locked<Candidate?>(nil)

    private struct Candidate {
        weak var delivery: (any Delivery)?
        let branch: EventBranch
    }

    private struct Turn {
        let event: PipelineEvent
        var output: StepResults.Output?
        var hasFailed = false
    }

    init(_ memory: NodeMemory?, path: String) {
        step = memory?.step(at: path)
        isResumed = memory?.isResumed ?? false
    }

    /// The events that go through the operator.
    func entering(_ events: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        isResumed ? events.filter { !self.passes($0) } : events
    }

    private func passes(_ event: PipelineEvent) -> Bool {
        guard let step, let result = event.result(of: step) else { return false }
        if let output = event.with(result) { passing.onNext(output) }
        return true
    }

    /// The events that leave the operator, and those that take the way around.
    func leaving(_ events: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        guard isResumed else { return events }
        return .merge(passing.asObservable(), events.do(onCompleted: { self.passing.onCompleted() }))
    }

    /// ``leaving(_:)`` an operator that emits what entered it before.
    func later(_ events: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        leaving(
            events.map { event in
                self.note(event, of: [event])
                return event
            })
    }

    // MARK: - Results

    /// Notes that the operator has made `output` of events that it had taken before: the last of them leads to it, and
    /// the others to nothing more.
    func note(_ output: PipelineEvent, of events: [PipelineEvent]) {
        guard let step else { return }
        for event in events.dropLast() { event.changeResults { $0.addLater(nil, of: step, in: event.branch) } }
        if let last = events.last { last.changeResults { $0.addLater(.init(output), of: step, in: last.branch) } }
        candidate.withLock { $0 = nil }
    }

    /// ``entering(_:)`` an operator that emits the latest event, later. One that is replaced before it is emitted leads
    /// to nothing.
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

    /// ``entering(_:)`` an operator that emits at most one event for each, at once. Its results are noted, also that
    /// there is none.
    func takingTurns(_ events: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        entering(events).do(
            onNext: { event in self.turn.withLock { $0 = Turn(event: event) } }, afterNext: { _ in self.endTurn() })
    }

    /// The event whose turn it is.
    var current: PipelineEvent? { turn.withLock { $0?.event } }

    /// The operator emits this event in the current turn.
    func emit(_ event: PipelineEvent) {
        turn.withLock { $0?.output = .init(event) }
    }

    /// The operator emits what it makes of the event in the current turn later, and that is noted then.
    func keep() {
        turn.withLock { $0 = nil }
    }

    /// The operator fails on the event.
    func fail() {
        turn.withLock { $0?.hasFailed = true }
    }

    private func endTurn() {
        guard let turn = turn.withLock({ $0.take() }), let step else { return }
        turn.event.changeResults { results in
            let branch = turn.event.branch
            if turn.hasFailed {
                results.fail(at: step, in: branch)
            } else {
                results.add(turn.output, of: step, in: branch)
            }
        }
    }
}
