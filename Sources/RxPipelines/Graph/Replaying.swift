import RxEngine
import RxJQ
import RxLinux

extension Observable where Element == PipelineEvent {
    /// Shares one subscription to these events. A later subscriber first receives the last `count` events, marked as
    /// replayed, or fewer if these take too much memory. They are dropped when the last subscriber unsubscribes, unless
    /// `scope` is `forever`.
    ///
    /// - Parameters:
    ///   - count: the number of replayed events.
    ///   - scope: how long the subscription and the replayed events are kept.
    ///   - activity: counts the events, and can show the last one.
    ///   - account: the account of the node. Its objects are charged to it and not to the first subscriber, which
    ///     starts the node and may unsubscribe long before the others.
    ///   - saved: the memory of the node, which saves the events.
    ///   - quota: limits the memory of the replayed events. The last one is always replayed.
    func shared(
        replay count: Int, scope: SubjectLifetimeScope = .whileConnected, countedIn activity: NodeActivity? = nil,
        chargedTo account: Resources.Account, in saved: NodeMemory? = nil, quota: MemoryQuota = MemoryQuota()
    ) -> Observable<PipelineEvent> {
        let counted = activity.map { self.counted(in: $0) } ?? self
        if count == 0 { return counted.share(scope: scope).charged(to: account) }
        let memory = LastEvents(count, saved, quota)
        activity?.canShow { memory.all.last?.value }
        let source: Observable<PipelineEvent>
        switch scope {
        case .forever: source = counted.do(onNext: { memory.keep($0) }).share(scope: .forever)
        case .whileConnected:
            source = counted.do(onNext: { memory.keep($0) }, onDispose: { memory.forget() }).share()
        }
        return .source { sink in
            for event in memory.all where sink.live.isActive { sink.next(event.replayed) }
            return account.charge { source.run(sink) }
        }
    }
}

// Unchecked: the lock guards all mutable state.
/// The last events of a node, to be replayed.
private final class LastEvents: SavedCell, @unchecked Sendable {
    private let count: Int
    private let memory: NodeMemory?
    /// Whether the memory of the events is counted.
    private let isCounted: Bool
    private let reservation: MemoryQuota.Reservation
    private let lock = Lock()
    private var events = EventBuffer()

    init(_ count: Int, _ memory: NodeMemory?, _ quota: MemoryQuota) {
        self.count = count
        self.memory = memory
        isCounted = count > 1 && quota.isLimited
        reservation = quota.reservation()
        let saved = memory?.setReplay(self)?.array ?? []
        for event in saved.suffix(count).compactMap({ PipelineEvent(saved: $0) }) {
            events.append(event, countedMemory(of: event))
        }
        while removeExcess() != nil {}
    }

    /// The memory of an event without its value, in bytes.
    private static let memoryOfEvent = 512

    /// The memory of an event; 0 if it is not limited.
    private func countedMemory(of event: PipelineEvent) -> Int {
        isCounted ? event.memory + Self.memoryOfEvent : 0
    }

    var all: [PipelineEvent] { lock.locked { events.all } }

    func save() -> JQValue? {
        let all = all
        return all.isEmpty ? nil : JQValue(all.map(\.saved))
    }

    func keep(_ event: PipelineEvent) {
        let event = event.remembered
        let size = countedMemory(of: event)
        lock.locked {
            // The node emitted this redelivered event before the restart, and later ones since.
            if event.origin.isRedelivered, memory?.isRestored == true, !isNew(event) { return }
            events.append(event, size)
        }
        // Released outside the lock.
        while lock.locked({ removeExcess() }) != nil {}
    }

    /// Removes the oldest event if there are too many, and counts the memory of the others otherwise.
    private func removeExcess() -> PipelineEvent? {
        if events.count > count { return events.removeFirst() }
        do throws(MemoryQuota.ExceededError) {
            try reservation.set(events.memory)
        } catch {
            if events.count > 1 { return events.removeFirst() }
            reservation.setUnconditionally(events.memory)
        }
        return nil
    }

    /// Whether no later event is kept.
    private func isNew(_ event: PipelineEvent) -> Bool {
        events.all.allSatisfy { ($0.time, $0.sequence) < (event.time, event.sequence) }
    }

    /// Removes the events, and releases them outside the lock.
    func forget() {
        _ = lock.locked { events.removeAll() }
        lock.locked { reservation.setUnconditionally(events.memory) }
    }
}
