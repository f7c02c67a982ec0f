import RxEngine

// Unchecked: the lock guards the count.
/// Records the first drop of a run of drops at once, and their number when the queue is empty again. Of a queue without
/// a bound it records when it has grown long.
final class DropRecords: @unchecked Sendable {
    private let context: SinkContext
    private let rules: QueuePolicy
    /// The number of waiting events that is recorded where none are dropped.
    private static let many = 50_000

    private let lock = Lock()
    private var count = 0
    private var isLong = false

    init(_ context: SinkContext, _ rules: QueuePolicy) {
        self.context = context
        self.rules = rules
    }

    func dropped(_ count: Int) {
        // With the other policies, dropping is what the config asks for.
        guard rules.overlap == .queue, count > 0 else { return }
        let isFirst = lock.locked {
            defer { self.count += count }
            return self.count == 0
        }
        guard isFirst else { return }
        let which = rules.overflow == .dropNewest ? "new" : "the oldest"
        context.record(
            .warning, "queue full: \(rules.capacity) events are waiting; \(which) events are dropped from now on")
    }

    /// An event was added to a queue, which has this many now.
    func added(to count: Int) {
        guard count >= Self.many, rules.capacity == .max else { return }
        let isFirst = lock.locked {
            defer { isLong = true }
            return !isLong
        }
        guard isFirst else { return }
        context.record(.warning, "queue is long: \(count) events are waiting; 'queue' sets a bound")
    }

    /// Ends a run of drops: the queue is empty, or has ended.
    func over() {
        let count = lock.locked {
            defer { (self.count, isLong) = (0, false) }
            return self.count
        }
        guard count > 0 else { return }
        context.record(.warning, "dropped \(counted(count, "event"))", dropped: count)
    }
}
