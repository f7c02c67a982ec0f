import RxEngine

/// What becomes of events that come while a sink is at work.
struct QueuePolicy: Sendable, Equatable {
    enum Overlap: String, CaseIterable, Sendable {
        /// They wait for their turn.
        case queue
        /// The latest waits, the others are dropped.
        case latest
        /// They are dropped.
        case drop
        /// The work is cancelled, and begins with the event that has come.
        case cancel
    }

    var overlap = Overlap.queue
    /// The largest number of waiting events. The default is above `inFlight`: a queue overflows only where one event becomes
    /// many, or many sources are combined.
    var capacity = 50_000
    /// Which is dropped when that many wait.
    var overflow = OverflowRule.dropOldest

    /// Reads `queue` and `overflow`, and `overlap` from a mapping that has it; what is wrong is reported.
    static func read(_ fields: inout Fields, hasOverlap: Bool = true) -> QueuePolicy {
        let rules: [(String, OverflowRule)] = [("dropOldest", .dropOldest), ("dropNewest", .dropNewest)]
        let overlap = hasOverlap ? fields.optional("overlap", .choice() as FieldType<Overlap>) : nil
        let capacity = fields.optional("queue", .int(1...1_000_000))
        let overflow = fields.optional("overflow", .choice(rules))
        let others = Overlap.allCases.filter { $0 != .queue }.map(\.rawValue)
        for key in hasOverlap ? ["queue", "overflow"] : [] {
            guard fields.breaks(.isNotGiven(key, where: "overlap", is: others)) != nil, let overlap else { continue }
            fields.report.add(
                "'\(key)' goes with 'overlap: queue'; with 'overlap: \(overlap.rawValue)' there is no queue",
                at: fields.location(of: key))
        }
        var read = QueuePolicy()
        read.overlap = overlap ?? read.overlap
        read.capacity = capacity ?? read.capacity
        read.overflow = overflow ?? read.overflow
        return read
    }
}
