import Dispatch
import RxEngine

// Unchecked: the lock guards all mutable state.
/// A sink whose waiting events are on disk: they are settled when they are stored there, and removed when the sink has finished them.
///
/// ```
/// take → incoming → store → fed → the sink's own queue
/// ```
///
/// Events whose storing fails stay in memory, unsettled, and it is tried again; while nothing is stored, they go to the sink from
/// there.
final class SpooledSink: OpenSink, DeliveryOwner, @unchecked Sendable {
    private static let batch = 1000
    /// The sink gets more events when fewer wait in its queue.
    private static let low = 500
    private static let retryAfter = Duration.seconds(1)

    private let sink: any OpenSink
    private let store: any SpoolStore
    private let surroundings: SinkSurroundings
    private let limit: Int
    private let scheduler: any SchedulerType
    private let queue: DispatchQueue
    private let lock = Lock()
    // Below: guarded by the lock.
    private var incoming = Ring<PipelineEvent>()
    /// The events that are stored, and their size in bytes.
    private var stored = (count: 0, bytes: 0)
    /// The number of the last event that the sink was given.
    private var last: Int64 = 0
    /// The numbers and sizes of the events that it was given and has not finished.
    private var fed: [Int: Row] = [:]
    private var places = 0
    private var done: [Row] = []
    private var isWorking = false
    private var isStarted = false
    private var isFrozen = false
    private var hasFailed = false
    private var isFull = false
    private var phase = Phase.open
    /// Events that the sink gave back: they stay stored.
    private var returned: [PipelineEvent] = []

    /// A stored event.
    private struct Row {
        let number: Int64
        let bytes: Int
        let ordinal: Int
    }

    private enum Phase {
        case open
        /// No event is taken; what is incoming is stored, and then `last` called.
        case closing(last: @Sendable () -> Void)
        case closed
    }

    /// - Parameters:
    ///   - limit: the largest size of the stored events, in bytes; 0 if only those are delivered that are stored already.
    ///   - make: opens the sink.
    init(
        _ store: any SpoolStore, limit: Int, in surroundings: SinkSurroundings, on scheduler: any SchedulerType,
        _ make: (SinkSurroundings) -> any OpenSink
    ) {
        self.store = store
        self.limit = limit
        self.scheduler = scheduler
        queue = DispatchQueue(label: "rx.spool.\(surroundings.key)")
        self.surroundings = surroundings
        let onFinish = Locked<(@Sendable () -> Void)?>(nil)
        var inner = surroundings
        inner.onFinish = { onFinish.withLock { $0 }?() }
        sink = make(inner)
        onFinish.withLock { $0 = { [weak self] in self?.wake() } }
    }

    /// Counts what is stored. The sink that this one replaces has stored its last events.
    private func count() {
        do {
            let size = try store.size(of: surroundings.key)
            lock.locked { stored = size }
            if size.count > 0 {
                let plural = size.count == 1 ? "event is" : "events are"
                surroundings.record(.notice, "continues: \(size.count) \(plural) spooled", spooled: size.count)
            }
        } catch {
            failed(error)
        }
    }

    // MARK: - As a sink

    var queued: Int { lock.locked { incoming.count } }
    var spooled: Int { lock.locked { stored.count - done.count } }
    var dropped: Int { sink.dropped }
    var unfinished: [PipelineEvent] { lock.locked { incoming.map { $0 } } }

    func start() {
        queue.async {
            self.count()
            self.lock.locked { self.isStarted = true }
            self.wake()
        }
    }

    func take(_ event: PipelineEvent) -> Bool {
        let isOpen = lock.locked {
            guard case .open = phase else { return false }
            incoming.append(event)
            return true
        }
        if isOpen { wake() }
        return false
    }

    func drain(_ done: @escaping @Sendable () -> Void) {
        close { _ in done() }
    }

    func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
        close(done)
    }

    /// Stores what is incoming and finishes the running work. What is stored stays there.
    ///
    /// - Parameter done: called with the events that could not be stored.
    private func close(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
        let isOpen = lock.locked {
            guard case .open = phase else { return false }
            phase = .closing { [self] in
                sink.handOver { [self] left in
                    queue.async { done(self.end(with: left)) }
                }
            }
            return true
        }
        if isOpen { wake() } else { done([]) }
    }

    /// Removes what the sink has finished last.
    ///
    /// - Returns: the events that are not stored.
    private func end(with left: [PipelineEvent]) -> [PipelineEvent] {
        let (finished, rest) = lock.locked {
            phase = .closed
            returned += left.filter { $0.delivery?.isOwned(by: self) == true }
            return (self.done, incoming.removeAll())
        }
        if !finished.isEmpty { _ = write([], finished) }
        return left.filter { $0.delivery?.isOwned(by: self) != true } + rest
    }

    func freeze() {
        lock.locked { isFrozen = true }
    }

    func dispose() {
        freeze()
        sink.dispose()
        // What is incoming stays unsettled, or is lost with the sink.
        let left = lock.locked { () -> ([PipelineEvent], [PipelineEvent]) in
            phase = .closed
            defer { returned = [] }
            return (incoming.removeAll(), returned)
        }
        withExtendedLifetime(left) {}
    }

    // MARK: - Work on the queue

    private func wake() {
        let isMine = lock.locked {
            if isWorking { return false }
            isWorking = true
            return true
        }
        if isMine { queue.async { self.work() } }
    }

    private func work() {
        while true {
            let (events, done) = lock.locked { () -> ([PipelineEvent], [Row]) in
                defer { self.done = [] }
                let count = hasRoom ? min(Self.batch, incoming.count) : 0
                return ((0..<count).map { _ in incoming.removeFirst() }, self.done)
            }
            let isStored = events.isEmpty && done.isEmpty || write(events, done)
            let isFed = feed()
            // Nobody waits for a store that fails.
            let (isOver, closing) = lock.locked { () -> (Bool, (@Sendable () -> Void)?) in
                let hasWork = isStored && (isFed || !self.done.isEmpty || !incoming.isEmpty && hasRoom)
                if hasWork { return (false, nil) }
                if case .closing(let last) = phase {
                    (phase, isWorking) = (.closed, false)
                    return (true, last)
                }
                isWorking = !isStored
                return (true, nil)
            }
            if let closing { return closing() }
            if !isStored { return retryLater() }
            if isOver { return }
        }
    }

    /// Whether an event may be stored. Recorded when that changes.
    private var hasRoom: Bool { stored.bytes < limit }

    /// - Returns: whether the events are stored, and these others removed.
    private func write(_ events: [PipelineEvent], _ done: [Row]) -> Bool {
        let rows = events.map { SpooledEvent($0.origin, $0.value, ordinal: $0.ordinal, suffix: $0.suffix) }
        do {
            try store.update(surroundings.key, removing: done.map(\.number), appending: rows)
            // One that is redelivered may have been stored before.
            let mayRepeat = events.contains { $0.origin.isRedelivered }
            let size = mayRepeat ? try store.size(of: surroundings.key) : nil
            let isNews = lock.locked {
                stored.count += rows.count - done.count
                stored.bytes += rows.reduce(0) { $0 + $1.bytes } - done.reduce(0) { $0 + $1.bytes }
                stored = size ?? stored
                defer { hasFailed = false }
                return hasFailed
            }
            if isNews { surroundings.record(.notice, "spool works again") }
            recordFullness()
        } catch {
            failed(error)
            lock.locked {
                let later = incoming.removeAll()
                for event in events + later { incoming.append(event) }
                self.done = done + self.done
            }
            return false
        }
        for event in events { surroundings.finish(event) }
        return true
    }

    private func recordFullness() {
        let (isFull, bytes) = lock.locked { (self.isFull, stored.bytes) }
        if limit > 0, !isFull, bytes >= limit {
            lock.locked { self.isFull = true }
            surroundings.record(.warning, "spool full: \(bytes) bytes; further events wait in memory")
        } else if isFull, bytes < limit / 2 {
            lock.locked { self.isFull = false }
            surroundings.record(.notice, "spool has room again")
        }
    }

    private func failed(_ error: any Error) {
        let isNews = lock.locked {
            defer { hasFailed = true }
            return !hasFailed
        }
        if isNews {
            surroundings.record(.warning, "spool failed, retrying: \(error); events wait in memory")
        }
    }

    private func retryLater() {
        queue.asyncAfter(deadline: .now() + Self.retryAfter.interval) { self.work() }
    }

    // MARK: - Feeding the sink

    /// Gives the sink the next events, if it has few.
    ///
    /// - Returns: whether there may be more.
    private func feed() -> Bool {
        let (after, mayFeed) = lock.locked { (last, isStarted && !isFrozen && isOpen) }
        guard mayFeed, sink.queued < Self.low else { return false }
        let rows: [(number: Int64, event: SpooledEvent)]
        do {
            rows = try store.events(of: surroundings.key, after: after, limit: Self.batch)
        } catch {
            failed(error)
            rows = []
        }
        guard let end = rows.last else {
            feedDirectly()
            return false
        }
        let events = lock.locked {
            last = end.number
            return rows.map { number, row in
                fed[places] = Row(number: number, bytes: row.bytes, ordinal: row.ordinal)
                defer { places += 1 }
                return PipelineEvent(row, Delivery(self, at: places))
            }
        }
        give(events)
        return events.count == Self.batch
    }

    /// Gives the sink events that are not stored, and stay unsettled until it has finished them: if none is stored before them, and
    /// these cannot be.
    private func feedDirectly() {
        let events = lock.locked {
            let isFirst = fed.isEmpty && stored.count <= done.count
            return isFirst && (limit == 0 || hasFailed) ? incoming.removeAll() : []
        }
        give(events)
    }

    private var isOpen: Bool { if case .open = phase { true } else { false } }

    private func give(_ events: [PipelineEvent]) {
        if events.isEmpty { return }
        scheduler.perform { [self] in
            for event in events {
                do {
                    if try sink.take(event) { surroundings.finish(event) }
                } catch {
                    surroundings.fail(error, on: event)
                }
            }
            wake()
        }
    }

    // MARK: - As the owner of deliveries

    func settle(_ place: Int) {
        if !lock.locked({ isFrozen }) { remove(place) }
    }

    /// The row's number at the sink, which it had when it was stored.
    func begin(_ place: Int, at sink: String) -> Int? { lock.locked { fed[place]?.ordinal ?? 0 } }

    func finish(_ place: Int, _ number: Int, at sink: String) {
        if sink == surroundings.key { remove(place) }
    }

    private func remove(_ place: Int) {
        let isDone = lock.locked {
            guard let row = fed.removeValue(forKey: place) else { return false }
            done.append(row)
            return true
        }
        if isDone { wake() }
    }

    func results<Value>(_ place: Int, _ body: (inout StepResults) -> Value) -> Value? { nil }
}
