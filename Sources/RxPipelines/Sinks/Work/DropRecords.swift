import RxEngine

// Unchecked: the count is behind the lock.
/// Says when a sink begins to drop events because too many wait, and how many it has dropped when that is over.
final class DropRecords: @unchecked Sendable {
    private let surroundings: SinkSurroundings
    private let rules: WorkRules
    private let lock = Lock()
    private var count = 0

    init(_ surroundings: SinkSurroundings, _ rules: WorkRules) {
        self.surroundings = surroundings
        self.rules = rules
    }

    func dropped(_ count: Int) {
        // One at a time, as the config wants it, is no reason to warn.
        guard rules.overlap == .queue, count > 0 else { return }
        let isFirst = lock.locked {
            defer { self.count += count }
            return self.count == 0
        }
        guard isFirst else { return }
        let which = rules.overflow == .dropNewest ? "that come" : "that have waited longest"
        surroundings.record(
            .warning, "cannot keep up: \(rules.capacity) events wait, and those \(which) are dropped from now on")
    }

    /// Nothing waits any more, or nothing will be done any more.
    func over() {
        let count = lock.locked {
            defer { self.count = 0 }
            return self.count
        }
        guard count > 0 else { return }
        surroundings.record(.warning, "has dropped \(count) event\(count == 1 ? "" : "s")", dropped: count)
    }
}
