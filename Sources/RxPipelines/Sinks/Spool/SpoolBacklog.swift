import RxEngine
import RxJSON

/// The pending writes of a spooled sink: events to be stored, and the progress of the sink with stored events. It
/// decides what is written next and what is retried later; its owner does the writing.
///
/// A full disk refuses events but may allow their removal. So after a failure, storing and reading are retried after a
/// pause, and the progress of the sink is written at once.
struct SpoolBacklog: ~Copyable {
    /// A stored event.
    struct Row {
        let number: Int64
        /// The size; 0 if it is unknown, since the event cannot be read.
        let bytes: Int
    }

    /// The progress of the sink with stored events that is not written yet.
    struct UnwrittenProgress {
        private(set) var done: [Row] = []
        /// The size of the done events, in bytes.
        private(set) var doneBytes = 0
        /// The failures, by the events' numbers.
        var failures: [Int64: SpooledFailure] = [:]

        var isEmpty: Bool { done.isEmpty && failures.isEmpty }
        /// Whether the size of one of the done events is unknown.
        var hasUnknownSize: Bool { done.contains { $0.bytes == 0 } }

        mutating func add(_ rows: some Sequence<Row>) {
            for row in rows {
                done.append(row)
                doneBytes += row.bytes
            }
        }

        func changes(adding events: [SpooledEvent] = []) -> SpoolChanges {
            SpoolChanges(removed: done.map(\.number), failures: failures, added: events)
        }

        /// Puts back progress that could not be written, before the progress made since.
        mutating func put(back other: UnwrittenProgress) {
            done = other.done + done
            doneBytes += other.doneBytes
            failures = other.failures.merging(failures) { $1 }
        }
    }

    /// The writes of one transaction.
    struct Batch {
        let events: [PipelineEvent]
        let finished: UnwrittenProgress
        /// Called after the write.
        let waiting: [@Sendable () -> Void]

        var isEmpty: Bool { events.isEmpty && finished.isEmpty }
    }

    /// The result of a write to the store.
    enum Outcome {
        /// Everything is written.
        case written
        /// The progress of the sink is written, but the events are not stored.
        case notStored
        /// Nothing is written.
        case failed
    }

    /// The operations of the store that fail.
    struct FailedOperations: OptionSet {
        let rawValue: Int
        static let storing = FailedOperations(rawValue: 1)
        static let removing = FailedOperations(rawValue: 2)
        static let reading = FailedOperations(rawValue: 4)
    }

    /// Whether operations of the store fail.
    private enum Condition {
        case working
        /// Operations have failed, and wait for their retry.
        case paused(FailedOperations)
        /// Operations have failed, and are being retried.
        case retrying(FailedOperations)
    }

    static let maximumBatch = 1000

    private let limit: Int
    /// The events that are not stored.
    private(set) var incoming = RingBuffer<PipelineEvent>()
    /// The number of events that are being stored, or are stored and not settled yet.
    private var storing = 0
    /// The number of stored events and their size in bytes; `nil` until they are counted.
    private(set) var stored: (count: Int, bytes: Int)?
    private(set) var finished = UnwrittenProgress()
    /// The number of done events that are being removed from the store, and their size in bytes.
    private var removing = (count: 0, bytes: 0)
    private var waiting: [@Sendable () -> Void] = []
    private var isWriting = false
    private var condition = Condition.working
    /// Whether events are stored beyond the limit, since nothing else keeps them.
    private var storesAll = false
    private var isFull = false

    /// - Parameter limit: the largest size of the stored events, in bytes; 0 if none are stored.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of events that are not stored, or not settled yet.
    var queued: Int { incoming.count + storing }
    /// The number of stored events that wait for the sink: not those that it has finished, whose removal may take long.
    var spooled: Int { stored.map { max(0, $0.count - finished.done.count - removing.count) } ?? 0 }
    /// The size of these events, in bytes.
    var spooledBytes: Int { stored.map { max(0, $0.bytes - finished.doneBytes - removing.bytes) } ?? 0 }
    /// Whether the sink has finished all stored events.
    var isStoreFinished: Bool { stored.map { $0.count <= finished.done.count } ?? false }
    var mayRead: Bool { stored != nil && !isPaused(.reading) }
    /// Whether events go to the sink from memory, since they cannot be stored.
    var feedsFromMemory: Bool { isPaused(.storing) }
    /// Whether failed operations wait for their retry.
    var isPaused: Bool { if case .paused = condition { true } else { false } }

    private func isPaused(_ failure: FailedOperations) -> Bool {
        if case .paused(let failures) = condition { failures.contains(failure) } else { false }
    }

    /// Whether an event may be stored.
    private var hasRoom: Bool {
        guard limit > 0, let stored, !isPaused(.storing) else { return false }
        return stored.bytes < limit || storesAll
    }

    // MARK: - Input

    mutating func append(_ event: PipelineEvent) {
        incoming.append(event)
    }

    mutating func takeFirst(_ count: Int) -> [PipelineEvent] {
        (0..<min(max(0, count), incoming.count)).map { _ in incoming.removeFirst() }
    }

    mutating func takeIncoming() -> [PipelineEvent] { takeFirst(incoming.count) }

    mutating func finish(_ rows: some Sequence<Row>) {
        finished.add(rows)
    }

    /// Notes that the sink has failed on a stored event, or that a receiver has made progress with a failed one.
    mutating func fail(_ number: Int64, _ failure: SpooledFailure) {
        finished.failures[number] = failure
    }

    /// Calls `body` when the progress so far is written, or could not be.
    ///
    /// - Returns: `false`, without a call, if there is nothing to wait for.
    mutating func whenWritten(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard isWriting || !finished.isEmpty || !waiting.isEmpty else { return false }
        waiting.append(body)
        return true
    }

    /// Adds the progress that the replaced sink could not write.
    mutating func inherit(_ other: UnwrittenProgress) {
        finished.put(back: other)
    }

    mutating func takeFinished() -> UnwrittenProgress {
        defer { finished = UnwrittenProgress() }
        return finished
    }

    // MARK: - Writing

    /// Takes the next batch to write.
    mutating func next() -> Batch {
        isWriting = true
        defer { waiting = [] }
        let events = hasRoom ? takeFirst(Self.maximumBatch) : []
        storing = events.count
        removing = (finished.done.count, finished.doneBytes)
        return Batch(events: events, finished: takeFinished(), waiting: waiting)
    }

    /// Notes that the events of the last batch are settled.
    mutating func settled() {
        storing = 0
    }

    /// Notes that a batch was written.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - bytes: the size of its events, in bytes.
    ///   - size: the number and size of all stored events, if they were counted.
    mutating func wrote(_ batch: Batch, bytes: Int, counted size: (count: Int, bytes: Int)?) {
        isWriting = false
        removed(batch.finished)
        stored?.count += batch.events.count
        stored?.bytes += bytes
        stored = size ?? stored
    }

    /// Puts back a batch whose events were not stored.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - isFinishedWritten: whether the progress of the sink in it was written.
    mutating func refused(_ batch: Batch, isFinishedWritten: Bool) {
        isWriting = false
        storing = 0
        removing = (0, 0)
        let later = takeIncoming()
        for event in batch.events + later { incoming.append(event) }
        if isFinishedWritten {
            removed(batch.finished)
        } else {
            finished.put(back: batch.finished)
        }
    }

    private mutating func removed(_ progress: UnwrittenProgress) {
        removing = (0, 0)
        stored?.count -= progress.done.count
        stored?.bytes -= progress.doneBytes
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

    /// Notes a failure, and pauses the failed operations.
    ///
    /// - Returns: whether nothing had failed before.
    mutating func failed(_ failure: FailedOperations) -> Bool {
        switch condition {
        case .working:
            condition = .paused(failure)
            return true
        case .paused(let failures), .retrying(let failures):
            condition = .paused(failures.union(failure))
            return false
        }
    }

    /// Notes that operations have succeeded. During a pause that is ignored, since they may still fail the next time.
    ///
    /// - Returns: whether these were the last failing operations.
    mutating func recovered(_ failure: FailedOperations) -> Bool {
        guard case .retrying(let failures) = condition else { return false }
        let left = failures.subtracting(failure)
        condition = left.isEmpty ? .working : .retrying(left)
        return left.isEmpty
    }

    /// Ends the pause: the failed operations are retried.
    mutating func resume() {
        if case .paused(let failures) = condition { condition = .retrying(failures) }
    }

    /// Ends the input at the end of the sink.
    ///
    /// - Parameter storingAll: whether all events are to be stored, since nothing else has them.
    mutating func close(storingAll: Bool) {
        storesAll = storingAll
        resume()
    }

    /// Checks whether the spool has become full, or has room again.
    ///
    /// - Returns: the size of the stored events if it has become full; 0 if it has room again; `nil` without a change.
    mutating func fullness() -> Int? {
        guard limit > 0, let bytes = stored?.bytes else { return nil }
        let before = isFull
        isFull = isFull ? bytes >= limit / 2 : bytes >= limit
        return isFull == before ? nil : isFull ? bytes : 0
    }
}
