import Dispatch
import RxEngine
import RxJSON

// Unchecked: the lock guards all mutable state.
/// A sink whose waiting events are on disk: they are settled when they are stored, and removed when the inner sink has
/// finished them.
///
/// ```
/// receive → incoming → store → fed → the queue of the inner sink
/// ```
///
/// Events that cannot be stored stay in memory, unsettled, and storing is retried. While no events are stored, they go
/// to the inner sink from memory. The ``SpoolBacklog`` decides what is written next.
final class SpooledSink: OpenSink, @unchecked Sendable {
    typealias Row = SpoolBacklog.Row

    /// The largest number of stored events in one read.
    static let batch = 1000
    /// The number of unfinished events below which the inner sink gets more.
    static let lowWaterMark = 500
    /// The size of stored events above which the inner sink gets no more, in bytes.
    static let bytes = 2 << 20
    /// The pause before failed operations are retried.
    static let retryAfter = Duration.seconds(1)
    /// The queue of all spools, on which each works a batch at a time. They share a database, so that a thread of each
    /// would only block the others.
    static let queue = DispatchQueue(label: "rx.spools")

    /// The inner sink.
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
    /// The number of the last event that a previous process has stored; `nil` until those are counted.
    var lastRestored: Int64?
    var state = SpoolState()
    private var retention = Retention.none
    /// The number of events that were lost here, besides those that the inner sink has dropped.
    var lost = 0
    /// The events that the inner sink returned when it ended. They stay stored.
    private var returned: [PipelineEvent] = []
    /// The sink that this one replaces, until this one starts.
    private var replaced: SpooledSink?
    /// The sink that replaces this one. It removes the failed events whose receivers finish after this sink has ended.
    var replacement: SpooledSink?

    /// A weak reference to the sink, for the context of its inner sink.
    private struct Weak {
        weak var sink: SpooledSink?
    }

    /// Whether stored events stay stored when the sink finishes or returns them.
    private enum Retention {
        case none
        /// The events stay stored.
        case frozen
        /// The events stay stored, and the sink retains none of them.
        case disposed
    }

    /// - Parameters:
    ///   - store: the store of all spools.
    ///   - limit: the largest size of the stored events, in bytes; 0 to store no more events, and only deliver those
    ///     that are stored already.
    ///   - context: the context of the sink.
    ///   - scheduler: the scheduler of the pipeline.
    ///   - replaced: the sink that this one replaces. It has ended when this one is started.
    ///   - make: opens the inner sink.
    init(
        _ store: any SpoolStore, limit: Int, in context: SinkContext, on scheduler: any SchedulerType,
        inPlaceOf replaced: SpooledSink? = nil, _ make: (SinkContext) -> any OpenSink
    ) {
        self.replaced = replaced
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
        replaced?.setReplacement(self)
    }

    /// Whether stored events stay stored from now on.
    var isFrozen: Bool { retention != .none }

    // MARK: - As a sink

    /// The number of events that are not stored.
    var queued: Int { lock.locked { backlog.queued + fed.countInMemory } }
    var spooled: Int { lock.locked { backlog.spooled } }
    var spooledBytes: Int { lock.locked { backlog.spooledBytes } }
    /// The stored events are passed to the inner sink in their order, the oldest first.
    var oldest: PipelineEvent? { sink.oldest ?? unfinished.first }
    var dropped: Int { sink.dropped + lock.locked { lost } }
    var unfinished: [PipelineEvent] { lock.locked { fed.inMemory + backlog.incoming.map { $0 } } }

    func start() {
        if let replaced = lock.locked({ self.replaced.take() }) { inherit(from: replaced) }
        lock.locked { state.start() }
        wake()
    }

    /// Takes over the replaced sink's knowledge of the stored events.
    private func inherit(from other: SpooledSink) {
        let (failed, restored) = (other.failed, other.lastRestoredByFirst)
        lock.locked {
            fed.inherit(failed)
            lastRestored = restored
        }
    }

    /// The value of `lastRestored` of the first sink in the chain of replaced ones.
    private var lastRestoredByFirst: Int64? {
        let (replaced, own) = lock.locked { (self.replaced, lastRestored) }
        return replaced.map(\.lastRestoredByFirst) ?? own
    }

    private func setReplacement(_ sink: SpooledSink) {
        lock.locked { replacement = sink }
    }

    /// The stored events that this sink or a replaced one failed on and that their receivers still have.
    private var failed: [Int64: Row] {
        let (replaced, rows) = lock.locked { (self.replaced, fed.failed) }
        return rows.merging(replaced?.failed ?? [:]) { own, _ in own }
    }

    func receive(_ event: PipelineEvent) -> Bool {
        let isOpen = lock.locked {
            guard state.isOpen else {
                lost += 1
                return false
            }
            backlog.append(event)
            return true
        }
        if isOpen { wake() }
        return false
    }

    /// Ends the sink. Stored events stay stored. Events that cannot be stored are lost, unless they stay unsettled.
    func drain(_ done: @escaping @Sendable () -> Void) {
        close(isReplaced: false) { [self] left in
            let isLoss = lock.locked {
                if !isFrozen { lost += left.count }
                return !isFrozen && !left.isEmpty
            }
            if isLoss {
                context.record(
                    .warning,
                    "\(counted(left.count, "event was", "events were")) lost, since storing failed: "
                        + left.map(\.origin).names,
                    dropped: left.count)
            }
            done()
        }
    }

    func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
        close(isReplaced: true, done)
    }

    /// Stores the incoming events and finishes the running work. Stored events stay stored.
    ///
    /// - Parameters:
    ///   - isReplaced: whether another sink gets the events that are not stored.
    ///   - done: called with the events that are not stored.
    private func close(isReplaced: Bool, _ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
        let end: @Sendable ([PipelineEvent]) -> Void = { [self] left in
            queue.async { done(self.end(with: left)) }
        }
        let wasOpen = lock.locked {
            let wasOpen = state.close { [self] in
                // Scheduled behind the events that are being passed to it.
                scheduler.perform { [self] in
                    if isReplaced || limit > 0 { sink.handOver(end) } else { sink.drain { end([]) } }
                }
            }
            if wasOpen { backlog.close(storingAll: !(isReplaced || isFrozen)) }
            return wasOpen
        }
        if wasOpen { wake() } else { queue.async { done([]) } }
    }

    /// Writes the last progress of the sink. If that fails, the sink that replaces this one takes it over, and does not
    /// deliver the finished events.
    ///
    /// - Returns: the events that are not stored.
    private func end(with left: [PipelineEvent]) -> [PipelineEvent] {
        let (last, rest) = lock.locked { () -> (SpoolBacklog.UnwrittenProgress, [PipelineEvent]) in
            state.closed()
            if retention != .disposed { returned += left }
            return (backlog.takeFinished(), fed.inMemory + backlog.takeIncoming())
        }
        if !last.isEmpty {
            do { try store.update(context.key, last.changes()) } catch { inherit(last) }
        }
        return rest
    }

    /// Passes progress that could not be written to the last sink in the chain of replaced ones.
    private func inherit(_ finished: SpoolBacklog.UnwrittenProgress) {
        let replacement = lock.locked { () -> SpooledSink? in
            if self.replacement == nil { backlog.inherit(finished) }
            return self.replacement
        }
        replacement?.inherit(finished)
    }

    func freeze() {
        lock.locked { if retention == .none { retention = .frozen } }
    }

    func dispose() {
        let replaced = lock.locked { () -> SpooledSink? in
            retention = .disposed
            return self.replaced.take()
        }
        if let replaced { inherit(from: replaced) }
        sink.dispose()
        let left = lock.locked { () -> ([PipelineEvent], [PipelineEvent]) in
            defer { returned = [] }
            // A sink that is ending still hands over its events.
            guard state.isOpen else { return ([], returned) }
            state.closed()
            lost += backlog.incoming.count
            return (backlog.takeIncoming(), returned)
        }
        withExtendedLifetime(left) {}
    }

    // MARK: - Called by the deliveries

    /// Called when the delivery of an event is released: removes the event if it is finished.
    func settle(_ key: Int) {
        let (row, replacement) = lock.locked { () -> (Row?, SpooledSink?) in
            guard state.isClosed, let next = self.replacement, fed.hasFailed(key) else { return (nil, nil) }
            return (fed.remove(key)?.row, next)
        }
        if let replacement {
            if let row { replacement.settle(row) }
        } else {
            // A sink that ends returns unfinished events, which stay stored.
            remove(key) { !$0.isFrozen && ($0.state.isOpen || $0.fed.hasFailed(key)) }
        }
    }

    /// Removes an event that a replaced sink failed on and that the receivers have finished.
    private func settle(_ row: Row) {
        let replacement = lock.locked { () -> SpooledSink? in
            fed.settleInherited(row)
            if state.isClosed, let next = self.replacement { return next }
            if !isFrozen { backlog.finish(CollectionOfOne(row)) }
            return nil
        }
        if let replacement { replacement.settle(row) } else { wake() }
    }

    func begin(_ key: Int, at sink: String, in branch: EventBranch) -> Arrival {
        lock.locked {
            let arrival = sink == context.key ? nil : fed.changeReceivers(key) { $0.begin(at: sink, in: branch) }
            return arrival ?? Arrival(number: fed.ordinal(key))
        }
    }

    func arrival(_ key: Int, _ number: Int, at sink: String) -> Arrival {
        lock.locked {
            let arrival = sink == context.key ? nil : fed.changeReceivers(key) { $0.arrival(number, at: sink) }
            return arrival ?? Arrival(number: number)
        }
    }

    func finish(_ key: Int, _ number: Int, at sink: String) {
        if sink == context.key { return remove(key) { _ in true } }
        noteReceivers(key) { $0.finish(number, at: sink) }
    }

    func fail(_ key: Int, _ number: Int, at sink: String, _ failure: JSON) {
        if sink != context.key { return noteReceivers(key) { $0.fail(number, at: sink, failure) } }
        let event = lock.locked { () -> PipelineEvent? in
            let event = fed.fail(key, failure)?.event
            if let (number, failure) = fed.storedFailure(key) { backlog.fail(number, failure) }
            return event
        }
        event?.fail(at: sink, failure)
        wake()
    }

    /// Stores the progress of a receiver with an event that the sink failed on.
    private func noteReceivers(_ key: Int, _ change: (inout SinkProgress) -> Void) {
        let noted = lock.locked { () -> (number: Int64, failure: SpooledFailure)? in
            _ = fed.changeReceivers(key, change)
            return fed.storedFailure(key)
        }
        if let noted { note(noted.number, noted.failure) }
    }

    /// Stores the failure on an event, in the sink that replaces this one if this one is closed.
    private func note(_ number: Int64, _ failure: SpooledFailure) {
        let replacement = lock.locked { () -> SpooledSink? in
            if state.isClosed, let next = self.replacement { return next }
            backlog.fail(number, failure)
            return nil
        }
        if let replacement { replacement.note(number, failure) } else { wake() }
    }

    /// Removes an event from the feed, and from the store or its source.
    private func remove(_ key: Int, if isDone: (SpooledSink) -> Bool) {
        let removed = lock.locked { () -> SpoolFeed.Entry? in
            guard isDone(self), let removed = fed.remove(key) else { return nil }
            if let row = removed.row { backlog.finish(CollectionOfOne(row)) }
            return removed
        }
        guard let removed else { return }
        if let event = removed.event { context.finish(event) }
        wake()
    }
}
