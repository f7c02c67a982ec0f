import RxEngine

extension Observable where Element == PipelineEvent {
    /// These events for any number of subscribers. Who comes later is first told the last `count`, which are marked as
    /// replayed: a memory, and no news. They are forgotten when the last subscriber has left, unless `scope` is forever.
    func shared(replay count: Int, scope: SubjectLifetimeScope = .whileConnected) -> Observable<PipelineEvent> {
        if count == 0 { return share(scope: scope) }
        let memory = LastEvents(count)
        let source: Observable<PipelineEvent>
        switch scope {
        case .forever: source = self.do(onNext: { memory.keep($0) }).share(scope: .forever)
        case .whileConnected:
            source = self.do(onNext: { memory.keep($0) }, onDispose: { memory.forget() }).share()
        }
        return .source { sink in
            for event in memory.all where sink.live.isActive { sink.next(event.replayed) }
            return source.run(sink)
        }
    }
}

// Unchecked: everything is behind the lock.
/// The last events of a node.
private final class LastEvents: @unchecked Sendable {
    private let lock = Lock()
    private let count: Int
    /// A ring, where it is full.
    private var events: [PipelineEvent] = []
    private var oldest = 0

    init(_ count: Int) {
        self.count = count
    }

    var all: [PipelineEvent] { lock.locked { Array(events[oldest...] + events[..<oldest]) } }

    func keep(_ event: PipelineEvent) {
        let event = event.remembered
        // Let go of outside the lock.
        _ = lock.locked { () -> PipelineEvent? in
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

    func forget() {
        _ = lock.locked { () -> [PipelineEvent] in
            defer { (events, oldest) = ([], 0) }
            return events
        }
    }
}
