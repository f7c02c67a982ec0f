import RxEngine
import RxJQ
import RxJSON
import RxLinux

/// Numbers the events of several nodes in the order of their arrival. Only the latest event is current; the others are
/// remembered without their deliveries.
final class ArrivalOrder: Sendable {
    private let sequencer = SequenceCounter()
    private let bypass: RedeliveryBypass
    private let memory: NodeMemory?

    init(_ memory: NodeMemory?) {
        self.memory = memory
        bypass = RedeliveryBypass(memory, path: "from")
    }

    /// The event that is being processed.
    var current: PipelineEvent? { bypass.current }

    /// Emits the events of a node with their numbers.
    func numbered(_ events: Observable<PipelineEvent>) -> Observable<(event: PipelineEvent, order: UInt64)> {
        numbered(entered: bypass.trackingResults(events))
    }

    /// Emits the numbered events of a node, each with an object that counts its memory while it waits in a queue.
    ///
    /// An event fails if there is no memory for it.
    func waiting(
        _ events: Observable<PipelineEvent>, in queue: InputQueue
    ) -> Observable<(event: PipelineEvent, order: UInt64, memory: MemoryQuota.Reservation)> {
        bypass.trackingResults(events).compactMap { event in
            guard let memory = try queue.add(event) else {
                self.bypass.fail()
                return nil
            }
            return (event: event.remembered, order: self.sequencer.next(), memory: memory)
        }
    }

    /// Emits the last event before a restart, and then the events of a node, with their numbers.
    ///
    /// - Parameters:
    ///   - events: the events of the node.
    ///   - number: the number of the node among the inputs.
    func numberedWithLast(_ events: Observable<PipelineEvent>, of number: Int) -> Observable<
        (event: PipelineEvent, order: UInt64)
    > {
        guard let memory else { return numbered(events) }
        return .deferred { [self] in
            numbered(
                entered: bypass.trackingResults(events).keepingLast(in: memory.cell("from/\(number)", nil, .event)))
        }
    }

    private func numbered(
        entered events: Observable<PipelineEvent>
    ) -> Observable<(event: PipelineEvent, order: UInt64)> {
        events.map { (event: $0.remembered, order: self.sequencer.next()) }
    }

    /// Notes that the operator emits this event for the current one.
    func emit(_ event: PipelineEvent) {
        bypass.emit(event)
    }

    /// The events that the operator emits, and those that bypass it.
    func leaving(_ emitted: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        bypass.leaving(emitted)
    }
}
