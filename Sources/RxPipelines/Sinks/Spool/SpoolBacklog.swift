import RxEngine
import RxJSON

/// What a spooled sink has yet to write: events to be stored, and what the sink has done with stored ones. It decides
/// what is written next, and what is tried again later; whoever owns it writes.
///
/// A full disk refuses events, and may still allow to remove some: after a failure, events are stored again, and stored
/// ones read again, after a pause; what the sink has done is written at once.
struct SpoolBacklog: ~Copyable {
    /// A stored event.
    struct Row {
        let number: Int64
        let bytes: Int
    }

    /// What the sink has done with stored events, and the store does not have yet.
    struct Finished {
        var done: [Row] = []
        /// By the events' numbers.
        var failures: [Int64: SpooledFailure] = [:]

        var isEmpty: Bool { done.isEmpty && failures.isEmpty }

        func changes(adding events: [SpooledEvent] = []) -> SpoolChanges {
            SpoolChanges(removed: done.map(\.number), failures: failures, added: events)
        }

        /// Puts back what could not be written, before what has come since.
        mutating func put(back other: Finished) {
            done = other.done + done
            failures = other.failures.merging(failures) { $1 }
        }
    }

    /// What is written in one transaction.
    struct Batch {
        let events: [PipelineEvent]
        let finished: Finished
        /// Called after the write.
        let waiting: [@Sendable () -> Void]

        var isEmpty: Bool { events.isEmpty && finished.isEmpty }
    }

    enum Outcome {
        /// All is written.
        case written
        /// The events are not stored; what the sink has done is written.
        case notStored
        /// Nothing is written.
        case failed
    }

    struct Failures: OptionSet {
        let rawValue: Int
        static let storing = Failures(rawValue: 1)
        static let removing = Failures(rawValue: 2)
        static let reading = Failures(rawValue: 4)
    }

    static let mostAtOnce = 1000

    private let limit: Int
    /// Events that are not stored.
    private(set) var incoming = RingBuffer<PipelineEvent>()
    /// The number of those that are being stored, and may not be settled yet.
    private var storing = 0
    /// The events that are stored, and their size in bytes; `nil` until they are counted.
    private(set) var stored: (count: Int, bytes: Int)?
    private(set) var finished = Finished()
    private var waiting: [@Sendable () -> Void] = []
    private var isWriting = false
    private(set) var failures: Failures = []
    /// Whether what has failed is not tried now.
    private(set) var isPaused = false
    /// Whether events are stored beyond the limit: there is nothing else to keep them.
    private var storesAll = false
    private var isFull = false

    /// - Parameter limit: the largest size of the stored events, in bytes; 0 if none are stored.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of events that are not stored, or not settled yet.
    var queued: Int { incoming.count + storing }
    var spooled: Int { stored.map { $0.count - finished.done.count } ?? 0 }
    /// Whether the sink has finished all that is stored.
    var isStoreFinished: Bool { stored.map { $0.count <= finished.done.count } ?? false }
    var mayRead: Bool { stored != nil && !isPaused(.reading) }
    /// Whether events that cannot be stored go to the sink from memory.
    var feedsFromMemory: Bool { isPaused(.storing) }
    private func isPaused(_ failure: Failures) -> Bool { isPaused && failures.contains(failure) }

    /// Whether an event may be stored.
    private var hasRoom: Bool {
        guard limit > 0, let stored, !isPaused(.storing) else { return false }
        return stored.bytes < limit || storesAll
    }

    // MARK: - What comes

    mutating func append(_ event: PipelineEvent) {
        incoming.append(event)
    }

    mutating func takeFirst(_ count: Int) -> [PipelineEvent] {
        (0..<min(max(0, count), incoming.count)).map { _ in incoming.removeFirst() }
    }

    mutating func takeIncoming() -> [PipelineEvent] { takeFirst(incoming.count) }

    mutating func finish(_ rows: some Sequence<Row>) {
        finished.done += rows
    }

    /// The sink has failed on an event, or a receiver of its failures has done something with it.
    mutating func fail(_ number: Int64, _ failure: SpooledFailure) {
        finished.failures[number] = failure
    }

    /// - Returns: `false` if there is nothing to wait for.
    mutating func whenWritten(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard isWriting || !finished.isEmpty || !waiting.isEmpty else { return false }
        waiting.append(body)
        return true
    }

    /// Adds what the sink before this one has done, and could not write.
    mutating func inherit(_ other: Finished) {
        finished.put(back: other)
    }

    mutating func takeFinished() -> Finished {
        defer { finished = Finished() }
        return finished
    }

    // MARK: - Writing

    mutating func next() -> Batch {
        isWriting = true
        defer { waiting = [] }
        let events = hasRoom ? takeFirst(Self.mostAtOnce) : []
        storing = events.count
        return Batch(events: events, finished: takeFinished(), waiting: waiting)
    }

    /// The events of the last batch are settled.
    mutating func settled() {
        storing = 0
    }

    /// A batch was written.
    ///
    /// - Parameters:
    ///   - bytes: the size of its events.
    ///   - size: the size of all that is stored, if that was counted.
    mutating func wrote(_ batch: Batch, bytes: Int, counted size: (count: Int, bytes: Int)?) {
        isWriting = false
        removed(batch.finished.done)
        stored?.count += batch.events.count
        stored?.bytes += bytes
        stored = size ?? stored
    }

    /// A batch was not written, or not all of it.
    mutating func refused(_ batch: Batch, isFinishedWritten: Bool) {
        isWriting = false
        storing = 0
        let later = takeIncoming()
        for event in batch.events + later { incoming.append(event) }
        if isFinishedWritten {
            removed(batch.finished.done)
        } else {
            finished.put(back: batch.finished)
        }
    }

    private mutating func removed(_ rows: [Row]) {
        stored?.count -= rows.count
        stored?.bytes -= rows.reduce(0) { $0 + $1.bytes }
    }

    mutating func counted(_ size: (count: Int, bytes: Int)) {
        stored = size
    }

    /// Whether there is something to write now.
    func hasWork(after outcome: Outcome) -> Bool {
        if outcome == .failed { return !waiting.isEmpty }
        return !finished.isEmpty || !waiting.isEmpty || !incoming.isEmpty && hasRoom
    }

    // MARK: - Failures

    /// - Returns: whether nothing had failed before.
    mutating func failed(_ failure: Failures) -> Bool {
        defer { failures.formUnion(failure) }
        isPaused = true
        return failures.isEmpty
    }

    /// Something was done that may have failed before. Soon after a failure, that says nothing of the next time.
    ///
    /// - Returns: whether that was the last thing to fail.
    mutating func recovered(_ failure: Failures) -> Bool {
        if isPaused { return false }
        let isNews = !failures.isEmpty
        failures.subtract(failure)
        return isNews && failures.isEmpty
    }

    /// What has failed is tried again.
    mutating func resume() {
        isPaused = false
    }

    /// At the end of the sink.
    ///
    /// - Parameter isKept: whether something else keeps what is not stored.
    mutating func close(isKept: Bool) {
        storesAll = !isKept
        isPaused = false
    }

    /// - Returns: the size of the events that fill the spool, if it has become full; 0 if it has room again.
    mutating func fullness() -> Int? {
        guard limit > 0, let bytes = stored?.bytes else { return nil }
        let before = isFull
        isFull = isFull ? bytes >= limit / 2 : bytes >= limit
        return isFull == before ? nil : isFull ? bytes : 0
    }
}
