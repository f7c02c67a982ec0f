import RxEngine
import RxJQ
import RxJSON

/// The order in which the events of several nodes arrive. One has its turn; the others are only remembered.
final class ArrivalOrder: Sendable {
    private let sequencer = Sequencer()
    private let bypass: Bypass
    private let memory: NodeMemory?

    init(_ memory: NodeMemory?) {
        self.memory = memory
        bypass = Bypass(memory, path: "from")
    }

    /// The event whose turn it is.
    var current: PipelineEvent? { bypass.current }

    func numbered(_ events: Observable<PipelineEvent>) -> Observable<(event: PipelineEvent, turn: UInt64)> {
        numbered(entered: bypass.takingTurns(events))
    }

    /// ``numbered(_:)``, beginning with the last event before a restart.
    ///
    /// - Parameter number: that of the node.
    func kept(_ events: Observable<PipelineEvent>, as number: Int) -> Observable<(event: PipelineEvent, turn: UInt64)> {
        guard let memory else { return numbered(events) }
        return .deferred { [self] in
            numbered(entered: bypass.takingTurns(events).keepingLast(in: memory.cell("from/\(number)", nil, .event)))
        }
    }

    private func numbered(
        entered events: Observable<PipelineEvent>
    ) -> Observable<(event: PipelineEvent, turn: UInt64)> {
        events.map { (event: $0.remembered, turn: self.sequencer.next()) }
    }

    /// The operator emits this event in the current turn.
    func emit(_ event: PipelineEvent) {
        bypass.emit(event)
    }

    /// What the operator emits, and what passes it by.
    func leaving(_ emitted: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        bypass.leaving(emitted)
    }
}
