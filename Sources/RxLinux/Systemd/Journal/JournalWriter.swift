import Dispatch
import Glibc
import RxEngine

// Unchecked: the backlog and `hasBacklog` are under the lock. The socket belongs to the sender: the holder of the lock
// while the backlog is empty, the queue otherwise.
/// Writes records to the journal in its native protocol without blocking the caller.
///
/// A record is with the kernel when ``write(_:_:)`` returns, with two exceptions, in which it and all later ones are
/// queued:
///
/// - If journald is slow and its socket full, until there is room.
/// - If journald does not run, until it does. The writer retries after 100 ms, then less and less often, at least every
///   5 s.
///
/// The queue is bounded in number and in bytes. If it is full, less urgent records are dropped for more urgent ones,
/// and dropped records are counted by priority. Records are never reordered.
///
/// A record too large for a datagram is sent as a sealed file in memory, off the caller's thread. While journald has not
/// read the files that it was sent, further ones wait in the queue.
public final class JournalWriter: @unchecked Sendable {
    /// The path of journald's socket.
    public static let standardPath = "/run/systemd/journal/socket"
    /// The size in bytes from which a record is sent on the queue, not on the caller's thread.
    private static let largeSize = 128 << 10
    /// The most attempts for a record that fails for lack of a resource, so that it does not block others for ever.
    private static let maximumAttempts = 20

    private let queue = DispatchQueue(label: "rx.journal-writer")
    private let lock = Lock()
    private var backlog: JournalBacklog
    private var hasBacklog = false
    private var storedError: SystemError?
    private var drainWaiters: [DispatchSemaphore] = []

    // Used on the queue only, except for the socket while the backlog is empty.
    private var socket: JournalSocket
    private let alarm: OneShotTimer
    private var roomWatch: WritableDescriptor?
    private var retryDelay = firstRetryDelay
    private var attempts = 0

    private static let firstRetryDelay = Duration.milliseconds(100)
    private static let longestRetryDelay = Duration.seconds(5)

    /// Creates a writer for the journald that listens at `path`.
    ///
    /// - Parameters:
    ///   - path: the path of journald's socket.
    ///   - capacity: the most records that are queued.
    ///   - byteCapacity: the most bytes of queued records; a record that has more is dropped.
    public init(path: String = standardPath, capacity: Int = 10_000, byteCapacity: Int = 32 << 20) {
        backlog = JournalBacklog(capacity: capacity, byteCapacity: byteCapacity)
        socket = JournalSocket(path: path)
        alarm = OneShotTimer(on: queue)
    }

    deinit {
        roomWatch?.dispose()
        alarm.cancel()
        for reached in drainWaiters { reached.signal() }
    }

    /// The number of queued records.
    public var queued: Int {
        lock.locked { backlog.count }
    }

    /// The number of dropped records by priority.
    public var dropped: [JournalPriority: Int] {
        let counts = lock.locked { backlog.dropped }
        return Dictionary(uniqueKeysWithValues: JournalPriority.allCases.map { ($0, counts[$0.rawValue]) })
            .filter { $0.value > 0 }
    }

    /// The reason why records are queued, or why the last one was dropped without being queued.
    ///
    /// `nil` if there is none.
    public var lastError: SystemError? {
        lock.locked { storedError }
    }

    /// Writes a record and adds its `PRIORITY`. Fields with invalid names are left out.
    ///
    /// - Parameters:
    ///   - priority: the priority of the record.
    ///   - fields: the other fields.
    ///   - receipt: reports the outcome of the record. Cancelling it while the record is queued removes the record.
    /// - Returns: `false` if the record was dropped.
    @discardableResult
    public func write(
        _ priority: JournalPriority, _ fields: [JournalField], _ receipt: WriteReceipt? = nil
    ) -> Bool {
        let bytes = JournalDatagram.encode(priority, fields)
        var ended: [(receipt: WriteReceipt?, outcome: WriteReceipt.Outcome)] = []
        let (isTaken, startsSending) = lock.locked { () -> (Bool, Bool) in
            if !hasBacklog, bytes.count < Self.largeSize {
                if receipt?.begin() == false { return (true, false) }
                switch socket.send(bytes) {
                case .sent:
                    storedError = nil
                    ended = [(receipt, .written)]
                    return (true, false)
                case .refused(let error):
                    storedError = error
                    ended = [(receipt, .failed(error))]
                    return (backlog.drop(priority), false)
                case .unreachable(let error): storedError = error
                case .full, .unread: break
                }
                if receipt?.putBack() == false {
                    ended = [(receipt, .cancelled)]
                    return (true, false)
                }
            }
            let (isTaken, evicted) = backlog.add(priority, bytes, receipt)
            let reason = storedError ?? SystemError(ENOBUFS, "queueing a record")
            ended = (isTaken ? evicted : evicted + [receipt].compactMap(\.self)).map { ($0, .failed(reason)) }
            defer { hasBacklog = hasBacklog || isTaken }
            return (isTaken, isTaken && !hasBacklog)
        }
        if startsSending { queue.async { self.sendQueued() } }
        for (receipt, outcome) in ended { receipt?.end(outcome) }
        return isTaken
    }

    /// Waits until the queue is empty, at most for `deadline`.
    ///
    /// - Returns: whether it is empty.
    public func drain(within deadline: Duration) -> Bool {
        let reached = DispatchSemaphore(value: 0)
        let waits = lock.locked {
            if hasBacklog { drainWaiters.append(reached) }
            return hasBacklog
        }
        return !waits || reached.wait(timeout: .now() + deadline.interval) == .success
    }

    /// Sends queued records until none is left or one cannot be sent.
    private func sendQueued() {
        alarm.cancel()
        // Take one at a time, so that `drain` and `write` get the lock in between.
        while let item = next() {
            if item.receipt?.begin() == false { continue }
            switch socket.send(item.bytes) {
            case .sent:
                item.receipt?.end(.written)
                retryDelay = Self.firstRetryDelay
                attempts = 0
                lock.locked { storedError = nil }
            case .full:
                putBack(item)
                // Most often there is room very soon, and blocking this queue blocks nothing else.
                if socket.hasRoom(within: .milliseconds(50)) { continue }
                return waitForRoom()
            case .unread:
                putBack(item)
                return waitForReader()
            case .unreachable(let error) where attempts < Self.maximumAttempts || !Self.isResourceError(error):
                attempts += 1
                putBack(item, because: error)
                return waitForJournald()
            case .unreachable(let error), .refused(let error):
                attempts = 0
                lock.locked {
                    backlog.drop(item.priority)
                    storedError = error
                }
                item.receipt?.end(.failed(error))
            }
        }
    }

    /// Whether the error is a lack of a resource that other records may not need.
    private static func isResourceError(_ error: SystemError) -> Bool {
        [EMFILE, ENFILE, ENOMEM, ENOBUFS, ETOOMANYREFS].contains(error.number)
    }

    /// Returns the next record to send; `nil` ends the work of the queue.
    private func next() -> JournalBacklog.Item? {
        let (item, reached) = lock.locked { () -> (JournalBacklog.Item?, [DispatchSemaphore]) in
            if let item = backlog.takeFirst() { return (item, []) }
            hasBacklog = false
            defer { drainWaiters = [] }
            return (nil, drainWaiters)
        }
        if item == nil { stopWaitingForRoom() }
        for semaphore in reached { semaphore.signal() }
        return item
    }

    private func putBack(_ item: JournalBacklog.Item, because error: SystemError? = nil) {
        let isCancelled = item.receipt?.putBack() == false
        lock.locked {
            if !isCancelled { backlog.putBack() }
            if let error { storedError = error }
        }
        if isCancelled { item.receipt?.end(.cancelled) }
    }

    private func waitForRoom() {
        if let roomWatch {
            roomWatch.waitAgain()
        } else if let descriptor = socket.duplicate() {
            roomWatch = WritableDescriptor(descriptor, on: queue) { [weak self] in self?.sendQueued() }
        }
        // If journald hangs, a restarted one may listen on another socket.
        alarm.set(after: .seconds(1)) { [weak self] in
            self?.stopWaitingForRoom()
            self?.socket.disconnectIfReplaced()
            self?.sendQueued()
        }
    }

    /// The kernel does not say when journald has read.
    private func waitForReader() {
        stopWaitingForRoom()
        alarm.set(after: Self.firstRetryDelay) { [weak self] in
            self?.socket.disconnectIfReplaced()
            self?.sendQueued()
        }
    }

    private func waitForJournald() {
        stopWaitingForRoom()
        alarm.set(after: retryDelay) { [weak self] in self?.sendQueued() }
        retryDelay = min(retryDelay * 2, Self.longestRetryDelay)
    }

    private func stopWaitingForRoom() {
        roomWatch.take()?.dispose()
    }
}
