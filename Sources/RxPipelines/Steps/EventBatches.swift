import RxEngine

extension Observable where Element == PipelineEvent {
    /// Emits the events in lists of `count`, and starts a new list every `skip` events. A list ends earlier when the
    /// source waits since its unsettled values take all the memory that they may: no event would complete the list.
    ///
    /// - Parameter onShort: called before the first list that ends earlier, with the number of its events.
    func batches(
        of count: Int, every skip: Int, onShort: @escaping @Sendable (Int) -> Void
    ) -> Observable<[PipelineEvent]> {
        lift(.buffer) { EventBatchSink(to: $0, count, skip, onShort) }
    }
}

/// The sink that collects events in lists and emits these.
private final class EventBatchSink: OperatorSink<PipelineEvent, [PipelineEvent]> {
    private let count: Int
    private let skip: Int
    private let onShort: @Sendable (Int) -> Void
    private var wasShort = false
    /// The events since the start of the oldest list that is not full.
    private var events: [PipelineEvent] = []
    /// The number of events still to drop before the next list starts.
    private var skipCount = 0

    init(
        to downstream: Sink<[PipelineEvent]>, _ count: Int, _ skip: Int, _ onShort: @escaping @Sendable (Int) -> Void
    ) {
        (self.count, self.skip, self.onShort) = (count, skip, onShort)
        super.init(.buffer, to: downstream)
    }

    override func next(_ event: PipelineEvent) {
        if skipCount > 0 { return skipCount -= 1 }
        events.append(event)
        let isAtLimit = event.delivery?.hasSource(where: \.isAtMemoryLimit) == true
        guard isAtLimit || events.count == count else { return }
        let list = events
        if isAtLimit || skip >= count { events = [] } else { events.removeFirst(skip) }
        skipCount = max(0, skip - count)
        if list.count < count, !wasShort {
            wasShort = true
            onShort(list.count)
        }
        downstream.next(list)
    }

    override func completed() {
        while live.isActive, !events.isEmpty {
            let list = events
            events.removeFirst(min(skip, events.count))
            downstream.next(list)
        }
        if live.isActive { downstream.completed() }
    }
}
