import Dispatch
import RxEngine
import RxJSON

// Unchecked: the lock guards all mutable state.
/// A sink whose waiting events are on disk: they are settled when they are stored there, and removed when the sink has finished them.
///
/// ```
/// take → incoming → store → fed → the sink's own queue
/// ```
///
/// Events whose storing fails stay in memory, unsettled, and it is tried again; while nothing is stored, they go to the sink from
/// there.
final class SpooledSink: OpenSink, @unchecked Sendable {
    private static let batch = 1000
    /// The sink is given more events when it has not finished fewer than these.
    private static let low = 500
    private static let retryAfter = Duration.seconds(1)
    /// All spools work on one queue, a batch of each at a time: they share a database, and a thread that each of them has waiting there
    /// is one that the others do not get.
    private static let queue = DispatchQueue(label: "rx.spools")

    private let sink: any OpenSink
    private let store: any SpoolStore
    private let surroundings: SinkSurroundings
    private let limit: Int
    private let scheduler: any SchedulerType
    private var queue: DispatchQueue { Self.queue }
    private let lock = Lock()
    // Below: guarded by the lock.
    private var incoming = Ring<PipelineEvent>()
    /// The events that are stored, and their size in bytes; `nil` until they are counted.
    private var stored: (count: Int, bytes: Int)?
    /// The number of the last event that the sink was given.
    private var last: Int64 = 0
    /// The events that it was given and has not finished.
    private var fed: [Int: Fed] = [:]
    private var places = 0
    private var unwritten = Unwritten()
    private var isWriting = false
    private var isWorking = false
    private var isStarted = false
    private var isFrozen = false
    private var isDisposed = false
    private var hasFailed = false
    private var isFull = false
    /// Whether events are stored beyond the limit: there is nothing else to keep them.
    private var storesAll = false
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

    /// A stored event.
    private struct Row {
        let number: Int64
        let bytes: Int
    }

    private struct Weak {
        weak var sink: SpooledSink?
    }

    /// What the sink has done with stored events, and the store does not have yet.
    private struct Unwritten {
        var done: [Row] = []
        /// By the events' numbers.
        var failures: [(number: Int64, failure: JSON)] = []
        /// Called after the write.
        var waiting: [@Sendable () -> Void] = []

        var isEmpty: Bool { done.isEmpty && failures.isEmpty && waiting.isEmpty }

        func changes(adding events: [SpooledEvent] = []) -> SpoolChanges {
            SpoolChanges(removed: done.map(\.number), failures: failures, added: events)
        }

        /// Puts back what could not be written, before what has come since.
        mutating func put(back other: Unwritten) {
            done = other.done + done
            failures = other.failures + failures
        }

        mutating func take() -> Unwritten {
            defer { self = Unwritten() }
            return self
        }
    }

    private struct Fed {
        /// The stored event, or that in memory.
        let row: Row?
        let event: PipelineEvent?
        let ordinal: Int
        /// Whether the sink has failed on it, and it is with the receivers of failed events.
        var hasFailed = false
        /// How many events made of it have reached other sinks.
        var begun: [String: Int] = [:]
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
        _ store: any SpoolStore, limit: Int, in surroundings: SinkSurroundings, on scheduler: any SchedulerType,
        inPlaceOf predecessor: SpooledSink? = nil, _ make: (SinkSurroundings) -> any OpenSink
    ) {
        self.predecessor = predecessor
        self.store = store
        self.limit = limit
        self.scheduler = scheduler
        self.surroundings = surroundings
        var inner = surroundings
        inner.isSpooled = true
        let spool = Locked(Weak())
        inner.noting = { body in spool.withLock { $0.sink }?.whenWritten(body) ?? false }
        sink = make(inner)
        spool.withLock { $0.sink = self }
        predecessor?.isReplaced(by: self)
    }

    // MARK: - As a sink

    /// Those that are not stored.
    var queued: Int { lock.locked { incoming.count + fed.values.count { $0.event != nil } } }
    var spooled: Int { lock.locked { (stored?.count ?? 0) - unwritten.done.count } }
    var dropped: Int { sink.dropped + lock.locked { lost } }
    var unfinished: [PipelineEvent] { lock.locked { fed.values.compactMap(\.event) + incoming.map { $0 } } }

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
            incoming.append(event)
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
                surroundings.record(
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
            storesAll = !isReplaced && !isFrozen
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

    /// Removes what the sink has finished last.
    ///
    /// - Returns: the events that are not stored.
    private func end(with left: [PipelineEvent]) -> [PipelineEvent] {
        let (last, rest) = lock.locked { () -> (SpoolChanges, [PipelineEvent]) in
            phase = .closed
            if !isDisposed { returned += left }
            // In the order in which they came.
            let given = fed.sorted { $0.key < $1.key }.compactMap { $0.value.hasFailed ? nil : $0.value.event }
            return (unwritten.take().changes(), given + incoming.removeAll())
        }
        if !last.isEmpty { try? store.update(surroundings.key, last) }
        return rest
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
            lost += incoming.count
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
        if lock.locked({ isStarted && stored == nil }) { count() }
        let (events, last) = lock.locked { () -> ([PipelineEvent], Unwritten) in
            isWriting = true
            return (nextToStore(), unwritten.take())
        }
        let isStored = events.isEmpty && last.changes().isEmpty || write(events, last)
        lock.locked { isWriting = false }
        for body in last.waiting { body() }
        // Before that, an event that is emitted again would be stored again after it was removed.
        let isPending =
            isStored && !events.isEmpty
            && surroundings.whenNoted { [self] in queue.async { self.goOn(isStored: true) } }
        if !isPending { goOn(isStored: isStored) }
    }

    /// Gives the sink what is stored, and goes on with what has come meanwhile.
    private func goOn(isStored: Bool) {
        let fed = isStored ? feed() : .nothing
        if !isStored { feedFromMemory() }
        let isFine = isStored && fed != .failed && lock.locked { !isStarted || stored != nil }
        let (next, closing) = lock.locked { () -> (Next, (@Sendable () -> Void)?) in
            if isFine, fed == .more || !unwritten.isEmpty || !incoming.isEmpty && hasRoom { return (.now, nil) }
            // Nobody waits for a store that fails.
            if case .closing(let last) = phase {
                (phase, isWorking) = (.ending, false)
                return (.nothing, last)
            }
            // A loop that failed goes on later.
            isWorking = !isFine && isOpen
            return (isWorking ? .later : .nothing, nil)
        }
        switch next {
        case .now: queue.async { self.work() }
        case .later: queue.asyncAfter(deadline: .now() + Self.retryAfter.interval) { self.work() }
        case .nothing: closing?()
        }
    }

    private enum Next {
        case now, later, nothing
    }

    /// Calls `body` when what the sink has finished is removed from the store, or cannot be.
    private func whenWritten(_ body: @escaping @Sendable () -> Void) -> Bool {
        let isPending = lock.locked {
            guard isWriting || !unwritten.isEmpty else { return false }
            unwritten.waiting.append(body)
            return true
        }
        if isPending { wake() }
        return isPending
    }

    private var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Whether an event may be stored.
    private var hasRoom: Bool {
        guard limit > 0, let stored else { return false }
        return stored.bytes < limit || storesAll
    }

    private func nextToStore() -> [PipelineEvent] {
        guard hasRoom else { return [] }
        return (0..<min(Self.batch, incoming.count)).map { _ in incoming.removeFirst() }
    }

    /// Counts what is stored. The sink that this one replaces has stored its last events.
    private func count() {
        do {
            let size = try store.size(of: surroundings.key)
            lock.locked { stored = size }
            recovered()
            if size.count > 0 {
                let plural = size.count == 1 ? "event is" : "events are"
                surroundings.record(.notice, "continues: \(size.count) \(plural) spooled", spooled: size.count)
            }
        } catch {
            failed(error)
        }
    }

    /// - Returns: whether the events are stored, those that are done removed, and the failures noted.
    private func write(_ events: [PipelineEvent], _ last: Unwritten) -> Bool {
        let rows = events.map { SpooledEvent($0.origin, $0.value, ordinal: $0.ordinal, suffix: $0.suffix) }
        let key = surroundings.key
        do {
            try store.update(key, last.changes(adding: rows))
        } catch {
            failed(error)
            // A full disk may still allow to remove.
            let isRemoved = (try? store.update(key, last.changes())) != nil
            lock.locked {
                let later = incoming.removeAll()
                for event in events + later { incoming.append(event) }
                if isRemoved { note(removed: last.done) } else { unwritten.put(back: last) }
            }
            return false
        }
        // One that is redelivered may have been stored before.
        let mayRepeat = events.contains { $0.origin.mayBeRepeated }
        let size = mayRepeat ? try? store.size(of: key) : nil
        lock.locked {
            note(removed: last.done)
            stored?.count += rows.count
            stored?.bytes += rows.reduce(0) { $0 + $1.bytes }
            stored = size ?? stored
        }
        recovered()
        recordFullness()
        for event in events { surroundings.finish(event) }
        return true
    }

    private func note(removed rows: [Row]) {
        stored?.count -= rows.count
        stored?.bytes -= rows.reduce(0) { $0 + $1.bytes }
    }

    private func recordFullness() {
        let (isFull, bytes) = lock.locked { (self.isFull, stored?.bytes ?? 0) }
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

    private func recovered() {
        let isNews = lock.locked {
            defer { hasFailed = false }
            return hasFailed
        }
        guard isNews else { return }
        // A spool that was damaged has lost some.
        if let size = try? store.size(of: surroundings.key) { lock.locked { stored = size } }
        surroundings.record(.notice, "spool works again")
    }

    // MARK: - Feeding the sink

    private enum Feeding {
        case nothing, more, failed
    }

    /// Gives the sink the next stored events, if it has few.
    private func feed() -> Feeding {
        let (after, mayFeed) = lock.locked {
            (last, isStarted && stored != nil && !isFrozen && isOpen && fed.count < Self.low)
        }
        guard mayFeed else { return .nothing }
        let rows: [(number: Int64, event: SpooledEvent?)]
        do {
            rows = try store.events(of: surroundings.key, after: after, limit: Self.batch)
        } catch {
            failed(error)
            return .failed
        }
        guard let end = rows.last else {
            if limit == 0 { feedFromMemory() }
            return .nothing
        }
        let unreadable = rows.filter { $0.event == nil }
        if !unreadable.isEmpty {
            surroundings.record(
                .warning, "\(unreadable.count) spooled events cannot be read, and are lost", dropped: unreadable.count)
        }
        let events = lock.locked { () -> [(PipelineEvent, JSON?)] in
            last = end.number
            lost += unreadable.count
            unwritten.done += unreadable.map { Row(number: $0.number, bytes: 0) }
            return rows.compactMap { number, row in
                if inherited[number] != nil { return nil }
                return row.map {
                    let row = Row(number: number, bytes: $0.bytes)
                    let fed = Fed(row: row, event: nil, ordinal: $0.ordinal, hasFailed: $0.failure != nil)
                    return (place($0, fed), $0.failure)
                }
            }
        }
        give(events)
        return .more
    }

    /// Gives the sink events that stay unsettled until it has finished them: they cannot be stored, and none is stored before them.
    private func feedFromMemory() {
        let events = lock.locked { () -> [(PipelineEvent, JSON?)] in
            guard isStarted, !isFrozen, isOpen, let stored, stored.count <= unwritten.done.count else { return [] }
            let count = min(max(0, Self.low - fed.count), incoming.count)
            return (0..<count).map { _ in
                let event = incoming.removeFirst()
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
                    surroundings.passOn(failure, of: event)
                    continue
                }
                do {
                    if try sink.take(event) { surroundings.finish(event) }
                } catch {
                    surroundings.fail(error, on: event)
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
            if !isFrozen { unwritten.done.append(row) }
            return nil
        }
        if let heir { heir.settle(row) } else { wake() }
    }

    fileprivate func begin(_ place: Int, at sink: String) -> Arrival {
        lock.locked {
            guard sink != surroundings.key, let number = fed[place]?.begun[sink, default: 0] else {
                return Arrival(number: fed[place]?.ordinal ?? 0)
            }
            fed[place]?.begun[sink] = number + 1
            return Arrival(number: number)
        }
    }

    fileprivate func finish(_ place: Int, _ number: Int, at sink: String) {
        if sink == surroundings.key { remove(place) { _ in true } }
    }

    fileprivate func fail(_ place: Int, at sink: String, _ failure: JSON) {
        guard sink == surroundings.key else { return }
        let event = lock.locked { () -> PipelineEvent? in
            fed[place]?.hasFailed = true
            if let row = fed[place]?.row { unwritten.failures.append((row.number, failure)) }
            return fed[place]?.event
        }
        event?.fail(at: sink, failure)
        wake()
    }

    private func remove(_ place: Int, if isDone: (SpooledSink) -> Bool) {
        let removed = lock.locked { () -> Fed? in
            guard isDone(self), let removed = fed.removeValue(forKey: place) else { return nil }
            if let row = removed.row { unwritten.done.append(row) }
            return removed
        }
        guard let removed else { return }
        if let event = removed.event { surroundings.finish(event) }
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

    func begin(at sink: String) -> Arrival { self.sink.begin(place, at: sink) }
    func arrival(_ number: Int, at sink: String) -> Arrival { Arrival(number: number) }
    func finish(_ number: Int, at sink: String) { self.sink.finish(place, number, at: sink) }

    func fail(_ number: Int, at sink: String, _ failure: JSON) { self.sink.fail(place, at: sink, failure) }
    /// Steps have processed the event.
    func changeResults(_ body: (inout StepResults) -> Void) {}
}
