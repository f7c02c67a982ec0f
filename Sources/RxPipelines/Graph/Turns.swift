import RxEngine

/// The order in which the events of several nodes arrive, and the one whose turn it is. The others are only remembered.
///
/// What was made of an event before it was redelivered passes the operator by: its turn was then, and the operator remembers
/// later events.
final class Turns: Sendable {
    private let sequencer = Sequencer()
    private let turn = Locked<Turn?>(nil)
    /// Identifies the operator in ``StepResults``; `nil` if nothing is saved.
    private let step: String?
    private let isRestored: Bool
    private let passing = PublishSubject<PipelineEvent>()

    private struct Turn {
        let event: PipelineEvent
        var output: JSON?
    }

    init(_ memory: NodeMemory?) {
        step = memory.map { "\($0.run)/from" }
        isRestored = memory?.isRestored ?? false
    }

    /// The event whose turn it is.
    var current: PipelineEvent? { turn.withLock { $0?.event } }

    /// The operator emits this value in the current turn.
    func emit(_ value: JSON) {
        turn.withLock { $0?.output = value }
    }

    func numbered(_ events: Observable<PipelineEvent>) -> Observable<(event: PipelineEvent, turn: UInt64)> {
        (isRestored ? events.filter { !self.passes($0) } : events)
            .do(
                onNext: { event in self.turn.withLock { $0 = Turn(event: event) } },
                afterNext: { _ in self.end() }
            )
            .map { (event: $0.remembered, turn: self.sequencer.next()) }
    }

    private func end() {
        guard let turn = turn.withLock({ $0.take() }), let step else { return }
        turn.event.delivery?.note(turn.output, of: step)
    }

    /// Whether the event was emitted before it was redelivered; emits it again.
    private func passes(_ event: PipelineEvent) -> Bool {
        guard let step, let result = event.result(of: step) else { return false }
        if let output = result.output { passing.onNext(event.with(output)) }
        return true
    }

    /// What the operator emits, and what passes it by.
    func withPassing(_ emitted: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        guard isRestored else { return emitted }
        return .merge(passing.asObservable(), emitted.do(onCompleted: { self.passing.onCompleted() }))
    }
}
