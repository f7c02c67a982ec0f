import RxEngine

// Unchecked: everything is behind the lock.
/// Says when a sink begins to drop events because too many wait, and when that is over.
final class DropRecords: @unchecked Sendable {
    private let surroundings: SinkSurroundings
    private let rules: WorkRules
    private let drops: DropCount
    private let lock = Lock()
    /// How many had been dropped when this began; `nil` while nothing is dropped.
    private var before: Int?

    init(_ surroundings: SinkSurroundings, _ rules: WorkRules, _ drops: DropCount) {
        self.surroundings = surroundings
        self.rules = rules
        self.drops = drops
    }

    /// An event was offered, before which `count` had been dropped.
    func offered(after count: Int) {
        // One at a time, as the config wants it, is no reason to warn.
        guard rules.overlap == .queue, drops.value > count else { return }
        let isFirst = lock.locked {
            defer { before = before ?? count }
            return before == nil
        }
        guard isFirst else { return }
        let which = rules.overflow == .dropNewest ? "that come" : "that have waited longest"
        surroundings.record(
            .warning, "cannot keep up: \(rules.capacity) events wait, and those \(which) are dropped from now on")
    }

    /// Nothing waits any more, or nothing will be done any more.
    func over() {
        guard let before = lock.locked({ before.take() }) else { return }
        let count = drops.value - before
        surroundings.record(.warning, "has dropped \(count) event\(count == 1 ? "" : "s")", dropped: count)
    }
}
