import Dispatch
import RxEngine
import RxJSON

// Unchecked: the lock guards all mutable state.
/// A sink whose waiting events are on disk: they are settled when they are stored there, and removed when the sink has
/// finished them.
///
/// ```
/// take → incoming → store → fed → the sink's own queue
/// ```
///
/// Events whose storing fails stay in memory, unsettled, and it is tried again; while nothing is stored, they go to the
/// sink from there. The ``SpoolBacklog`` decides what is written when.
final class SpooledSink: OpenSink, @unchecked Sendable {
    typealias Row = SpoolBacklog.Row

    /// How many stored events are read at once.
    static let batch = 1000
    /// The sink is given more events when it has not finished fewer than these.
    static let low = 500
    static let retryAfter = Duration.seconds(1)
    /// All spools work on one queue, a batch of each at a time: they share a database, and a thread that each of them
    /// has waiting there is one that the others do not get.
    private static let queue = DispatchQueue(label: "rx.spools")

    let sink: any OpenSink
    let store: any SpoolStore
    let context: SinkContext
    let limit: Int
    let scheduler: any SchedulerType
    var queue: DispatchQueue { Self.queue }
    let lock = Lock()
    // Below: guarded by the lock.
    var backlog: SpoolBacklog
    var fed = SpoolFeed()
    /// Whether the stored events have yet to be counted that an earlier process has left.
    var isFirst: Bool
    /// The number of the last of those.
    var lastRestored: Int64 = 0
    var isWorking = false
    /// Whether what has failed will be tried again.
    var isRetrying = false
    var isStarted = false
    var isFrozen = false
    private var isDisposed = false
    var lost = 0
    var phase = Phase.open
    /// Events that the sink gave back: they stay stored.
    private var returned: [PipelineEvent] = []
    /// The sink that this one replaces, until this one starts.
    private var predecessor: SpooledSink?
    /// The sink that replaces this one. It removes the failed events that have outlived this one.
    var successor: SpooledSink?

    private struct Weak {
        weak var sink: SpooledSink?
    }

    enum Phase {
        case open
        /// No event is taken; what is incoming is stored, and then `last` called.
        case closing(last: @Sendable () -> Void)
        /// The sink finishes what it is at.
        case ending
        case closed
    }

    /// - Parameters:
    ///   - limit: the largest size of the stored events, in bytes; 0 if only those are delivered that are stored already.
    ///   - predecessor: the sink that this one replaces. It has ended when this one is started.
    ///   - make: opens the sink.
    init(
        _ store: any SpoolStore, limit: Int, in context: SinkContext, on scheduler: any SchedulerType,
        inPlaceOf predecessor: SpooledSink? = nil, _ make: (SinkContext) -> any OpenSink
    ) {
        self.predecessor = predecessor
        isFirst = true
        self.store = store
        self.limit = limit
        backlog = SpoolBacklog(limit: limit)
        self.scheduler = scheduler
        self.context = context
        var inner = context
        inner.isSpooled = true
        let spool = Locked(Weak())
        inner.noting = { body in spool.withLock { $0.sink }?.whenWritten(body) ?? false }
        sink = make(inner)
        spool.withLock { $0.sink = self }
        predecessor?.isReplaced(by: self)
    }

    // MARK: - As a sink

    /// Those that are not stored.
    var queued: Int { lock.locked { backlog.queued + fed.countInMemory } }
    var spooled: Int { lock.locked { backlog.spooled } }
    var dropped: Int { sink.dropped + lock.locked { lost } }
    var unfinished: [PipelineEvent] { lock.locked { fed.inMemory + backlog.incoming.map { $0 } } }

    func start() {
        let before = lock.locked { predecessor.take() }
        let failed = before?.failed ?? [:]
        let (isFirst, lastRestored) = before.map { $0.restored } ?? (true, 0)
        lock.locked {
            (self.isFirst, self.lastRestored) = (isFirst, lastRestored)
            fed.inherit(failed)
            isStarted = true
        }
        wake()
    }

    /// Which of the stored events an earlier process has left.
    private var restored: (isFirst: Bool, last: Int64) {
        let (predecessor, own) = lock.locked { (self.predecessor, (isFirst, lastRestored)) }
        return predecessor?.restored ?? own
    }

    private func isReplaced(by sink: SpooledSink) {
        lock.locked { successor = sink }
    }

    /// The stored events that this sink and those before it have failed on, and that are with their receivers.
    private var failed: [Int64: Row] {
        let (predecessor, rows) = lock.locked { (self.predecessor, fed.failed) }
        return rows.merging(predecessor?.failed ?? [:]) { own, _ in own }
    }

    func take(_ event: PipelineEvent) -> Bool {
        let isOpen = lock.locked {
            guard case .open = phase else {
                lost += 1
                return false
            }
            backlog.append(event)
            return true
        }
        if isOpen { wake() }
        return false
    }

    /// What is stored stays there. What cannot be stored is lost, unless it stays unsettled.
    func drain(_ done: @escaping @Sendable () -> Void) {
        close(isReplaced: false) { [self] left in
            let isLoss = lock.locked {
                if !isFrozen { lost += left.count }
                return !isFrozen && !left.isEmpty
            }
            if isLoss {
                context.record(
                    .warning,
                    "\(counted(left.count, "event")) could not be spooled, and lost: \(left.map(\.origin).names)",
                    dropped: left.count)
            }
            done()
        }
    }

    func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
        close(isReplaced: true, done)
    }

    /// Stores what is incoming and finishes the running work. What is stored stays there.
    ///
    /// - Parameters:
    ///   - isReplaced: whether another sink gets what is not stored.
    ///   - done: called with the events that are not stored.
    private func close(isReplaced: Bool, _ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
        let end: @Sendable ([PipelineEvent]) -> Void = { [self] left in
            queue.async { done(self.end(with: left)) }
        }
        let isOpen = lock.locked {
            guard case .open = phase else { return false }
            backlog.close(isKept: isReplaced || isFrozen)
            phase = .closing { [self] in
                // Behind the events that it is being given.
                scheduler.perform { [self] in
                    if isReplaced || limit > 0 { sink.handOver(end) } else { sink.drain { end([]) } }
                }
            }
            return true
        }
        if isOpen { wake() } else { queue.async { done([]) } }
    }

    /// Removes what the sink has finished last. What cannot be removed now, the sink that replaces this one leaves
    /// alone and removes.
    ///
    /// - Returns: the events that are not stored.
    private func end(with left: [PipelineEvent]) -> [PipelineEvent] {
        let (last, rest) = lock.locked { () -> (SpoolBacklog.Finished, [PipelineEvent]) in
            phase = .closed
            if !isDisposed { returned += left }
            return (backlog.takeFinished(), fed.inMemory + backlog.takeIncoming())
        }
        if !last.isEmpty {
            do { try store.update(context.key, last.changes()) } catch { inherit(last) }
        }
        return rest
    }

    /// Keeps for the last sink of a row of replaced ones what could not be written.
    private func inherit(_ finished: SpoolBacklog.Finished) {
        let heir = lock.locked { () -> SpooledSink? in
            if successor == nil { backlog.inherit(finished) }
            return successor
        }
        heir?.inherit(finished)
    }

    func freeze() {
        lock.locked { isFrozen = true }
    }

    func dispose() {
        let predecessor = lock.locked { () -> SpooledSink? in
            (isFrozen, isDisposed) = (true, true)
            return self.predecessor.take()
        }
        if let predecessor {
            let (failed, restored) = (predecessor.failed, predecessor.restored)
            lock.locked {
                fed.inherit(failed)
                (isFirst, lastRestored) = (restored.isFirst, restored.last)
            }
        }
        sink.dispose()
        let left = lock.locked { () -> ([PipelineEvent], [PipelineEvent]) in
            defer { returned = [] }
            // While it ends, its events are still handed over.
            guard case .open = phase else { return ([], returned) }
            phase = .closed
            lost += backlog.incoming.count
            return (backlog.takeIncoming(), returned)
        }
        withExtendedLifetime(left) {}
    }

    // MARK: - Called by the deliveries

    func settle(_ place: Int) {
        let (row, heir) = lock.locked { () -> (Row?, SpooledSink?) in
            guard case .closed = phase, let successor, fed.hasFailed(place) else { return (nil, nil) }
            return (fed.remove(place)?.row, successor)
        }
        if let heir {
            if let row { heir.settle(row) }
        } else {
            // A sink that ends gives back what stays stored.
            remove(place) { !$0.isFrozen && ($0.isOpen || $0.fed.hasFailed(place)) }
        }
    }

    /// The receivers are done with an event that the predecessor failed on.
    private func settle(_ row: Row) {
        let heir = lock.locked { () -> SpooledSink? in
            fed.settleInherited(row)
            if case .closed = phase, let successor { return successor }
            if !isFrozen { backlog.finish(CollectionOfOne(row)) }
            return nil
        }
        if let heir { heir.settle(row) } else { wake() }
    }

    func begin(_ place: Int, at sink: String, in branch: EventBranch) -> Arrival {
        lock.locked {
            let arrival = sink == context.key ? nil : fed.changeReceivers(place) { $0.begin(at: sink, in: branch) }
            return arrival ?? Arrival(number: fed.ordinal(place))
        }
    }

    func arrival(_ place: Int, _ number: Int, at sink: String) -> Arrival {
        lock.locked {
            let arrival = sink == context.key ? nil : fed.changeReceivers(place) { $0.arrival(number, at: sink) }
            return arrival ?? Arrival(number: number)
        }
    }

    func finish(_ place: Int, _ number: Int, at sink: String) {
        if sink == context.key { return remove(place) { _ in true } }
        noteReceivers(place) { $0.finish(number, at: sink) }
    }

    func fail(_ place: Int, _ number: Int, at sink: String, _ failure: JSON) {
        if sink != context.key { return noteReceivers(place) { $0.fail(number, at: sink, failure) } }
        let event = lock.locked { () -> PipelineEvent? in
            let event = fed.fail(place, failure)?.event
            if let (number, failure) = fed.storedFailure(place) { backlog.fail(number, failure) }
            return event
        }
        event?.fail(at: sink, failure)
        wake()
    }

    /// Stores what a receiver has done with an event that the sink failed on.
    private func noteReceivers(_ place: Int, _ change: (inout SinkProgress) -> Void) {
        let noted = lock.locked { () -> (number: Int64, failure: SpooledFailure)? in
            _ = fed.changeReceivers(place, change)
            return fed.storedFailure(place)
        }
        if let noted { note(noted.number, noted.failure) }
    }

    private func note(_ number: Int64, _ failure: SpooledFailure) {
        let heir = lock.locked { () -> SpooledSink? in
            if case .closed = phase, let successor { return successor }
            backlog.fail(number, failure)
            return nil
        }
        if let heir { heir.note(number, failure) } else { wake() }
    }

    private func remove(_ place: Int, if isDone: (SpooledSink) -> Bool) {
        let removed = lock.locked { () -> SpoolFeed.Entry? in
            guard isDone(self), let removed = fed.remove(place) else { return nil }
            if let row = removed.row { backlog.finish(CollectionOfOne(row)) }
            return removed
        }
        guard let removed else { return }
        if let event = removed.event { context.finish(event) }
        wake()
    }
}
