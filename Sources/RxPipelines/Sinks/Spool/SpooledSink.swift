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
    private typealias Row = SpoolBacklog.Row

    /// How many stored events are read at once.
    private static let batch = 1000
    /// The sink is given more events when it has not finished fewer than these.
    private static let low = 500
    private static let retryAfter = Duration.seconds(1)
    /// All spools work on one queue, a batch of each at a time: they share a database, and a thread that each of them
    /// has waiting there is one that the others do not get.
    private static let queue = DispatchQueue(label: "rx.spools")

    private let sink: any OpenSink
    private let store: any SpoolStore
    private let context: SinkContext
    private let limit: Int
    private let scheduler: any SchedulerType
    private var queue: DispatchQueue { Self.queue }
    private let lock = Lock()
    // Below: guarded by the lock.
    private var backlog: SpoolBacklog
    /// The number of the last event that the sink was given.
    private var last: Int64 = 0
    /// The events that it was given and has not finished.
    private var fed: [Int: Fed] = [:]
    private var places = 0
    private var isWorking = false
    /// Whether what has failed will be tried again.
    private var isRetrying = false
    private var isStarted = false
    private var isFrozen = false
    private var isDisposed = false
    private var lost = 0
    private var phase = Phase.open
    /// Events that the sink gave back: they stay stored.
    private var returned: [PipelineEvent] = []
    /// The sink that this one replaces, until this one starts.
    private var predecessor: SpooledSink?
    /// The sink that replaces this one. It removes the failed events that have outlived this one.
    private var successor: SpooledSink?
    /// Events that the predecessor failed on: they are with their receivers.
    private var inherited: [Int64: Row] = [:]

    private struct Weak {
        weak var sink: SpooledSink?
    }

    private struct Fed {
        /// The stored event, or that in memory.
        let row: Row?
        let event: PipelineEvent?
        let ordinal: Int
        /// Whether the sink has failed on it, and it is with the receivers of failed events.
        var hasFailed = false
        /// How many events made of it have reached other sinks.
        var begun: [String: BranchCounts] = [:]
    }

    private enum Phase {
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
    var queued: Int { lock.locked { backlog.queued + fed.values.count { $0.event != nil } } }
    var spooled: Int { lock.locked { backlog.spooled } }
    var dropped: Int { sink.dropped + lock.locked { lost } }
    var unfinished: [PipelineEvent] { lock.locked { fed.values.compactMap(\.event) + backlog.incoming.map { $0 } } }

    func start() {
        let failed = lock.locked { predecessor.take() }?.failed ?? [:]
        lock.locked { (inherited, isStarted) = (failed, true) }
        wake()
    }

    private func isReplaced(by sink: SpooledSink) {
        lock.locked { successor = sink }
    }

    /// The stored events that this sink and those before it have failed on, and that are with their receivers.
    private var failed: [Int64: Row] {
        let (predecessor, rows) = lock.locked { () -> (SpooledSink?, [Int64: Row]) in
            let own = fed.values.compactMap { $0.hasFailed ? $0.row : nil }
            return (self.predecessor, own.reduce(into: inherited) { $0[$1.number] = $1 })
        }
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
                    .warning, "\(left.count) events could not be spooled, and are lost", dropped: left.count)
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
            // In the order in which they came.
            let given = fed.sorted { $0.key < $1.key }.compactMap { $0.value.hasFailed ? nil : $0.value.event }
            return (backlog.takeFinished(), given + backlog.takeIncoming())
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
        if let failed = predecessor?.failed { lock.locked { inherited = failed } }
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
        if lock.locked({ isStarted && backlog.stored == nil && !backlog.isPaused }) { count() }
        let (outcome, hasEvents) = writeNext()
        // Before that, an event that is emitted again would be stored again after it was removed.
        let isPending =
            outcome == .written && hasEvents
            && context.whenNoted { [self] in queue.async { self.goOn(after: outcome) } }
        if !isPending { goOn(after: outcome) }
    }

    /// Events that are written are settled when this returns.
    private func writeNext() -> (SpoolBacklog.Outcome, hasEvents: Bool) {
        let batch = lock.locked { backlog.next() }
        let outcome = write(batch)
        for body in batch.waiting { body() }
        return (outcome, !batch.events.isEmpty)
    }

    /// Gives the sink what is stored, and goes on with what has come meanwhile.
    private func goOn(after outcome: SpoolBacklog.Outcome) {
        lock.locked { backlog.settled() }
        let isMore = feed()
        if lock.locked({ backlog.feedsFromMemory }) { feedFromMemory() }
        let (goesOn, retries, closing) = lock.locked { () -> (Bool, Bool, (@Sendable () -> Void)?) in
            isWorking = isMore || backlog.hasWork(after: outcome)
            let retries = backlog.isPaused && isOpen && !isRetrying
            if retries { isRetrying = true }
            // Nobody waits for a store that fails.
            guard !isWorking, case .closing(let last) = phase else { return (isWorking, retries, nil) }
            phase = .ending
            return (false, retries, last)
        }
        if goesOn { queue.async { self.work() } }
        if retries { queue.asyncAfter(deadline: .now() + Self.retryAfter.interval) { self.retry() } }
        closing?()
    }

    private func retry() {
        lock.locked {
            isRetrying = false
            backlog.resume()
        }
        wake()
    }

    /// Calls `body` when what the sink has finished is removed from the store, or cannot be.
    private func whenWritten(_ body: @escaping @Sendable () -> Void) -> Bool {
        let isPending = lock.locked { backlog.whenWritten(body) }
        if isPending { wake() }
        return isPending
    }

    private var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Counts what is stored. The sink that this one replaces has stored its last events.
    private func count() {
        do {
            let size = try store.size(of: context.key)
            lock.locked { backlog.counted(size) }
            recovered(.reading)
            if size.count > 0 {
                let plural = size.count == 1 ? "event is" : "events are"
                context.record(.notice, "continues: \(size.count) \(plural) spooled", spooled: size.count)
            }
        } catch {
            failed(.reading, error)
        }
    }

    private func write(_ batch: SpoolBacklog.Batch) -> SpoolBacklog.Outcome {
        let key = context.key
        let rows = batch.events.map { SpooledEvent($0.origin, $0.value, ordinal: $0.ordinal, suffix: $0.suffix) }
        do {
            if !batch.isEmpty { try store.update(key, batch.finished.changes(adding: rows)) }
        } catch {
            // A full disk may still allow to remove.
            let isRemoved =
                !rows.isEmpty
                && (batch.finished.isEmpty || (try? store.update(key, batch.finished.changes())) != nil)
            lock.locked { backlog.refused(batch, isFinishedWritten: isRemoved) }
            failed(rows.isEmpty ? .removing : isRemoved ? .storing : [.storing, .removing], error)
            return isRemoved ? .notStored : .failed
        }
        // One that is redelivered may have been stored before.
        let mayRepeat = batch.events.contains { $0.origin.mayBeRepeated }
        let size = mayRepeat ? try? store.size(of: key) : nil
        lock.locked { backlog.wrote(batch, bytes: rows.reduce(0) { $0 + $1.bytes }, counted: size) }
        if !batch.isEmpty { recovered(rows.isEmpty ? .removing : [.storing, .removing]) }
        recordFullness()
        for event in batch.events { context.finish(event) }
        return .written
    }

    private func recordFullness() {
        guard let bytes = lock.locked({ backlog.fullness() }) else { return }
        if bytes > 0 {
            context.record(.warning, "spool full: \(bytes) bytes; further events wait in memory")
        } else {
            context.record(.notice, "spool has room again")
        }
    }

    private func failed(_ failure: SpoolBacklog.Failures, _ error: any Error) {
        if lock.locked({ backlog.failed(failure) }) {
            context.record(.warning, "spool failed, retrying: \(error); events wait in memory")
        }
    }

    private func recovered(_ failure: SpoolBacklog.Failures) {
        guard lock.locked({ backlog.recovered(failure) }) else { return }
        // A spool that was damaged has lost some.
        if let size = try? store.size(of: context.key) { lock.locked { backlog.counted(size) } }
        context.record(.notice, "spool works again")
    }

    // MARK: - Feeding the sink

    /// Gives the sink the next stored events, if it has few.
    ///
    /// - Returns: whether there were any.
    private func feed() -> Bool {
        let (after, mayFeed) = lock.locked {
            (last, isStarted && backlog.mayRead && !isFrozen && isOpen && fed.count < Self.low)
        }
        guard mayFeed else { return false }
        let rows: [(number: Int64, event: SpooledEvent?)]
        do {
            rows = try store.events(of: context.key, after: after, limit: Self.batch)
        } catch {
            failed(.reading, error)
            return false
        }
        recovered(.reading)
        guard let end = rows.last else {
            if limit == 0 { feedFromMemory() }
            return false
        }
        let unreadable = rows.filter { $0.event == nil }
        if !unreadable.isEmpty {
            context.record(
                .warning, "\(unreadable.count) spooled events cannot be read, and are lost", dropped: unreadable.count)
        }
        let events = lock.locked { () -> [(PipelineEvent, JSON?)] in
            last = end.number
            lost += unreadable.count
            // What the sink before this one has done, and could not remove.
            let done = Set(backlog.finished.done.map(\.number))
            backlog.finish(unreadable.lazy.map { Row(number: $0.number, bytes: 0) })
            return rows.compactMap { number, row in
                if inherited[number] != nil || done.contains(number) { return nil }
                return row.map {
                    let row = Row(number: number, bytes: $0.bytes)
                    let fed = Fed(row: row, event: nil, ordinal: $0.ordinal, hasFailed: $0.failure != nil)
                    return (place($0, fed), $0.failure)
                }
            }
        }
        give(events)
        return true
    }

    /// Gives the sink events that stay unsettled until it has finished them: they cannot be stored, and none is stored
    /// before them.
    private func feedFromMemory() {
        let events = lock.locked { () -> [(PipelineEvent, JSON?)] in
            guard isStarted, !isFrozen, isOpen, backlog.isStoreFinished else { return [] }
            return backlog.takeFirst(Self.low - fed.count).map { event in
                let row = SpooledEvent(
                    event.origin, event.value, encoded: [], ordinal: event.ordinal, suffix: event.suffix)
                return (place(row, Fed(row: nil, event: event, ordinal: event.ordinal)), nil)
            }
        }
        give(events)
    }

    private func place(_ row: SpooledEvent, _ event: Fed) -> PipelineEvent {
        defer { places += 1 }
        fed[places] = event
        return PipelineEvent(row, SpooledDelivery(row.event, self, at: places))
    }

    private func give(_ events: [(PipelineEvent, failure: JSON?)]) {
        if events.isEmpty { return }
        scheduler.perform { [self] in
            for (event, failure) in events {
                if let failure {
                    context.passOn(failure, of: event)
                    continue
                }
                do {
                    if try sink.take(event) { context.finish(event) }
                } catch {
                    context.fail(error, on: event)
                }
            }
        }
    }

    // MARK: - Called by the deliveries

    fileprivate func settle(_ place: Int) {
        let (row, heir) = lock.locked { () -> (Row?, SpooledSink?) in
            guard case .closed = phase, let successor, fed[place]?.hasFailed == true else { return (nil, nil) }
            return (fed.removeValue(forKey: place)?.row, successor)
        }
        if let heir {
            if let row { heir.settle(row) }
        } else {
            // A sink that ends gives back what stays stored.
            remove(place) { !$0.isFrozen && ($0.isOpen || $0.fed[place]?.hasFailed == true) }
        }
    }

    /// The receivers are done with an event that the predecessor failed on.
    private func settle(_ row: Row) {
        let heir = lock.locked { () -> SpooledSink? in
            inherited[row.number] = nil
            if case .closed = phase, let successor { return successor }
            if !isFrozen { backlog.finish(CollectionOfOne(row)) }
            return nil
        }
        if let heir { heir.settle(row) } else { wake() }
    }

    fileprivate func begin(_ place: Int, at sink: String, in branch: EventBranch) -> Arrival {
        lock.locked {
            guard sink != context.key,
                let number = fed[place]?.begun[sink, default: BranchCounts()].next(in: branch)
            else { return Arrival(number: fed[place]?.ordinal ?? 0) }
            return Arrival(number: number)
        }
    }

    fileprivate func finish(_ place: Int, _ number: Int, at sink: String) {
        if sink == context.key { remove(place) { _ in true } }
    }

    fileprivate func fail(_ place: Int, at sink: String, _ failure: JSON) {
        guard sink == context.key else { return }
        let event = lock.locked { () -> PipelineEvent? in
            fed[place]?.hasFailed = true
            if let row = fed[place]?.row { backlog.fail(row.number, failure) }
            return fed[place]?.event
        }
        event?.fail(at: sink, failure)
        wake()
    }

    private func remove(_ place: Int, if isDone: (SpooledSink) -> Bool) {
        let removed = lock.locked { () -> Fed? in
            guard isDone(self), let removed = fed.removeValue(forKey: place) else { return nil }
            if let row = removed.row { backlog.finish(CollectionOfOne(row)) }
            return removed
        }
        guard let removed else { return }
        if let event = removed.event { context.finish(event) }
        wake()
    }
}

/// The delivery of an event from a spool.
private final class SpooledDelivery: Delivery {
    let event: SourceEvent
    private let sink: SpooledSink
    private let place: Int

    init(_ event: SourceEvent, _ sink: SpooledSink, at place: Int) {
        self.event = event
        self.sink = sink
        self.place = place
    }

    deinit { sink.settle(place) }

    func begin(at sink: String, in branch: EventBranch) -> Arrival {
        self.sink.begin(place, at: sink, in: branch)
    }
    func arrival(_ number: Int, at sink: String) -> Arrival { Arrival(number: number) }
    func finish(_ number: Int, at sink: String) { self.sink.finish(place, number, at: sink) }

    func fail(_ number: Int, at sink: String, _ failure: JSON) { self.sink.fail(place, at: sink, failure) }
    /// Steps have processed the event.
    func changeResults(_ body: (inout StepResults) -> Void) {}
}
