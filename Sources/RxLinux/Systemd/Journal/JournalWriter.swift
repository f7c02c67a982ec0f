import Dispatch
import Glibc
import RxEngine

// Unchecked: the backlog, and whether it is being worked off, are behind the lock; the socket belongs to whoever sends:
// the holder of the lock while nothing waits, the queue while something does.
/// Writes records to the journal in its native protocol, and makes nobody wait.
///
/// A record is with the kernel when ``write(_:_:)`` returns, unless something is in the way. Then it waits, and those
/// after it behind it:
///
/// - where journald is slow and its socket full, until there is room;
/// - where journald is not there, until it is: tried again after 100 ms, then ever less often, at least every 5 s.
///
/// What waits is bounded in number and in bytes. Where there is no more room, less urgent records make way for more
/// urgent ones, and every record lost is counted by its priority. Records are never reordered.
///
/// A record too large for a datagram goes to journald as a sealed file in memory, off the caller's thread.
public final class JournalWriter: @unchecked Sendable {
    /// Where journald listens.
    public static let standardPath = "/run/systemd/journal/socket"
    /// Records from this size on are not sent on their writer's thread.
    private static let largeSize = 128 << 10
    /// How many tries a record gets whose sending lacks something, so that it does not hold up others for ever.
    private static let mostTries = 20

    private let queue = DispatchQueue(label: "rx.journal-writer")
    private let lock = Lock()
    private var backlog: JournalBacklog
    private var isBehind = false
    private var lastTrouble: SystemError?
    private var waiting: [DispatchSemaphore] = []

    // The queue's own, but for the socket while nothing waits.
    private var socket: JournalSocket
    private let alarm: Alarm
    private var room: WritableDescriptor?
    private var pause = firstPause
    private var tries = 0

    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(5)

    /// A writer for the journald that listens at `path`.
    ///
    /// - Parameters:
    ///   - capacity: how many records may wait.
    ///   - byteCapacity: how many bytes these may have together; a record that has more is dropped.
    public init(path: String = standardPath, capacity: Int = 10_000, byteCapacity: Int = 32 << 20) {
        backlog = JournalBacklog(capacity: capacity, byteCapacity: byteCapacity)
        socket = JournalSocket(path: path)
        alarm = Alarm(on: queue)
    }

    deinit {
        room?.dispose()
        alarm.cancel()
        for reached in waiting { reached.signal() }
    }

    /// How many records wait.
    public var queued: Int {
        lock.locked { backlog.count }
    }

    /// How many records were dropped so far, by priority.
    public var dropped: [JournalPriority: Int] {
        let counts = lock.locked { backlog.dropped }
        return Dictionary(uniqueKeysWithValues: JournalPriority.allCases.map { ($0, counts[$0.rawValue]) })
            .filter { $0.value > 0 }
    }

    /// Why records wait, or why the last that was dropped without waiting was; `nil` where all is well.
    public var trouble: SystemError? {
        lock.locked { lastTrouble }
    }

    /// Writes a record; its `PRIORITY` is added. Fields with names that journald does not take are left out.
    ///
    /// - Parameter receipt: is told what became of the record. Cancelled while it waits, the record is not written.
    /// - Returns: `false` where the record was dropped.
    @discardableResult
    public func write(
        _ priority: JournalPriority, _ fields: [JournalField], _ receipt: WriteReceipt? = nil
    ) -> Bool {
        let bytes = JournalDatagram.encode(priority, fields)
        var ended: [(receipt: WriteReceipt?, outcome: WriteReceipt.Outcome)] = []
        let (isTaken, startsWork) = lock.locked { () -> (Bool, Bool) in
            if !isBehind, bytes.count < Self.largeSize {
                if receipt?.begin() == false { return (true, false) }
                switch socket.send(bytes) {
                case .sent:
                    lastTrouble = nil
                    ended = [(receipt, .written)]
                    return (true, false)
                case .refused(let error):
                    lastTrouble = error
                    ended = [(receipt, .failed(error))]
                    return (backlog.drop(priority), false)
                case .unreachable(let error): lastTrouble = error
                case .full: break
                }
                if receipt?.putBack() == false {
                    ended = [(receipt, .cancelled)]
                    return (true, false)
                }
            }
            let (isTaken, evicted) = backlog.add(priority, bytes, receipt)
            let reason = lastTrouble ?? SystemError(ENOBUFS, "queueing a record")
            ended = (isTaken ? evicted : evicted + [receipt].compactMap(\.self)).map { ($0, .failed(reason)) }
            defer { isBehind = isBehind || isTaken }
            return (isTaken, isTaken && !isBehind)
        }
        if startsWork { queue.async { self.workOff() } }
        for (receipt, outcome) in ended { receipt?.end(outcome) }
        return isTaken
    }

    /// Waits until nothing waits any more, but no longer than `deadline`.
    ///
    /// - Returns: whether that is so.
    public func drain(within deadline: Duration) -> Bool {
        let reached = DispatchSemaphore(value: 0)
        let waits = lock.locked {
            if isBehind { waiting.append(reached) }
            return isBehind
        }
        return !waits || reached.wait(timeout: .now() + deadline.interval) == .success
    }

    /// Sends what waits, until nothing does or nothing goes.
    private func workOff() {
        alarm.cancel()
        // A while at a time: `drain` and `write` get at the lock in between.
        while let item = next() {
            if item.receipt?.begin() == false { continue }
            switch socket.send(item.bytes) {
            case .sent:
                item.receipt?.end(.written)
                pause = Self.firstPause
                tries = 0
                lock.locked { lastTrouble = nil }
            case .full:
                putBack(item)
                // Most often there is room the next moment, and the queue is ours.
                if socket.hasRoom(within: .milliseconds(50)) { continue }
                return waitForRoom()
            case .unreachable(let error) where tries < Self.mostTries || !Self.isLack(error):
                tries += 1
                putBack(item, because: error)
                return waitForJournald()
            case .unreachable(let error), .refused(let error):
                tries = 0
                lock.locked {
                    backlog.drop(item.priority)
                    lastTrouble = error
                }
                item.receipt?.end(.failed(error))
            }
        }
    }

    /// Whether something is lacking on our side that other records may have no need of.
    private static func isLack(_ error: SystemError) -> Bool {
        [EMFILE, ENFILE, ENOMEM, ENOBUFS, ETOOMANYREFS].contains(error.number)
    }

    /// The next record to send; where there is none, the queue has done its work.
    private func next() -> JournalBacklog.Item? {
        let (item, reached) = lock.locked { () -> (JournalBacklog.Item?, [DispatchSemaphore]) in
            if let item = backlog.takeFirst() { return (item, []) }
            isBehind = false
            defer { waiting = [] }
            return (nil, waiting)
        }
        if item == nil { forgetRoom() }
        for semaphore in reached { semaphore.signal() }
        return item
    }

    private func putBack(_ item: JournalBacklog.Item, because error: SystemError? = nil) {
        let isCancelled = item.receipt?.putBack() == false
        lock.locked {
            if !isCancelled { backlog.putBack() }
            if let error { lastTrouble = error }
        }
        if isCancelled { item.receipt?.end(.cancelled) }
    }

    private func waitForRoom() {
        if let room {
            room.waitAgain()
        } else if let descriptor = socket.duplicate() {
            room = WritableDescriptor(descriptor, on: queue) { [weak self] in self?.workOff() }
        }
        // A journald that hangs may have been followed by another, behind another socket.
        alarm.set(after: .seconds(1)) { [weak self] in
            self?.forgetRoom()
            self?.socket.disconnect()
            self?.workOff()
        }
    }

    private func waitForJournald() {
        forgetRoom()
        alarm.set(after: pause) { [weak self] in self?.workOff() }
        pause = min(pause * 2, Self.longestPause)
    }

    private func forgetRoom() {
        room.take()?.dispose()
    }
}
