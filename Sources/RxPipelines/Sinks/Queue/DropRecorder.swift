import RxEngine

// Unchecked: the lock guards the count.
/// Records the first of a run of drops at once, and their number when the queue is empty again. For a queue without a
/// bound, it records once that the queue is long.
final class DropRecorder: @unchecked Sendable {
    private let context: SinkContext
    private let policy: QueuePolicy
    /// The length of an unbounded queue that is recorded.
    private static let longQueue = 50_000

    private let lock = Lock()
    private var count = 0
    private var isLong = false

    init(_ context: SinkContext, _ policy: QueuePolicy) {
        self.context = context
        self.policy = policy
    }

    /// Counts dropped events, and records the first of a run.
    ///
    /// - Parameters:
    ///   - count: the number of dropped events.
    ///   - waiting: the number of waiting events.
    func dropped(_ count: Int, waiting: Int) {
        // With the other policies, the configuration asks for dropping.
        guard policy.overlap == .queue, count > 0 else { return }
        let isFirst = lock.locked {
            defer { self.count += count }
            return self.count == 0
        }
        guard isFirst else { return }
        let which = policy.overflow == .dropNewest ? "new" : "the oldest"
        let fullness =
            waiting >= policy.capacity
            ? "\(policy.capacity) events are waiting"
            : "the \(counted(waiting, "event")) that \(waiting == 1 ? "waits" : "wait") may take \(memoryText(policy.memory)) of memory"
        context.record(.warning, "queue full: \(fullness); \(which) events are dropped from now on")
    }

    /// Records that an unbounded queue has become long.
    ///
    /// - Parameter count: the number of waiting events.
    func added(to count: Int) {
        guard count >= Self.longQueue, policy.capacity == .max else { return }
        let isFirst = lock.locked {
            defer { isLong = true }
            return !isLong
        }
        guard isFirst else { return }
        context.record(.warning, "queue is long: \(count) events are waiting; limit it with 'queue: NUMBER'")
    }

    /// Ends a run of drops, and records their number: the queue is empty, or has ended.
    func endRun() {
        let count = lock.locked {
            defer { (self.count, isLong) = (0, false) }
            return self.count
        }
        guard count > 0 else { return }
        context.record(.warning, "dropped \(counted(count, "event"))", dropped: count)
    }
}
