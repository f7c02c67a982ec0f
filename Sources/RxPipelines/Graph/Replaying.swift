import RxEngine
import RxJQ

extension Observable where Element == PipelineEvent {
    /// These events for any number of subscribers. A later subscriber first receives the last `count`, which are marked
    /// as replayed: a memory, and no news. They are forgotten when the last subscriber has left, unless `scope` is
    /// forever.
    ///
    /// - Parameters:
    ///   - account: what the node's live objects are charged to. The first subscriber starts the node, and may leave long
    ///     before the others.
    ///   - saved: the memory of the node, in which the events are saved.
    func shared(
        replay count: Int, scope: SubjectLifetimeScope = .whileConnected, chargedTo account: Resources.Account,
        in saved: NodeMemory? = nil
    ) -> Observable<PipelineEvent> {
        if count == 0 { return share(scope: scope).charged(to: account) }
        let memory = LastEvents(count, saved)
        let source: Observable<PipelineEvent>
        switch scope {
        case .forever: source = self.do(onNext: { memory.keep($0) }).share(scope: .forever)
        case .whileConnected:
            source = self.do(onNext: { memory.keep($0) }, onDispose: { memory.forget() }).share()
        }
        return .source { sink in
            for event in memory.all where sink.live.isActive { sink.next(event.replayed) }
            return account.charge { source.run(sink) }
        }
    }
}

// Unchecked: everything is behind the lock.
/// The last events of a node.
private final class LastEvents: SavedCell, @unchecked Sendable {
    private let count: Int
    private let memory: NodeMemory?
    private let lock = Lock()
    /// A ring, where it is full.
    private var events: [PipelineEvent] = []
    private var oldest = 0

    init(_ count: Int, _ memory: NodeMemory?) {
        self.count = count
        self.memory = memory
        let saved = memory?.setReplay(self)?.array ?? []
        events = saved.suffix(count).compactMap { PipelineEvent(saved: $0) }
    }

    var all: [PipelineEvent] { lock.locked { Array(events[oldest...] + events[..<oldest]) } }

    func save() -> JQValue? {
        let all = all
        return all.isEmpty ? nil : JQValue(all.map(\.saved))
    }

    func keep(_ event: PipelineEvent) {
        let event = event.remembered
        // Let go of outside the lock.
        _ = lock.locked { () -> PipelineEvent? in
            // The node emitted it before the restart.
            if event.origin.isRedelivered, memory?.isRestored == true, !isNew(event) { return nil }
            if events.count < count {
                events.append(event)
                return nil
            }
            defer { oldest = (oldest + 1) % count }
            let before = events[oldest]
            events[oldest] = event
            return before
        }
    }

    /// Whether no later event is kept.
    private func isNew(_ event: PipelineEvent) -> Bool {
        events.allSatisfy { ($0.time, $0.sequence) < (event.time, event.sequence) }
    }

    func forget() {
        _ = lock.locked { () -> [PipelineEvent] in
            defer { (events, oldest) = ([], 0) }
            return events
        }
    }
}
