/// The guarantees of a chain's elements, whatever the timing.
struct Guarantees: Sendable, CustomStringConvertible {
    /// The elements of a stream never descend.
    var isOrdered = true
    /// An element occurs once at the most.
    var isUnique = true
    /// The elements of a stream that a subscriber receives have no gap between them.
    var isGapless = true
    /// A subscriber that subscribes before anything is emitted and receives the completion has received everything.
    var isComplete = true
    /// The sequence ends once its sources have ended.
    var ends = true
    /// Some of the elements come from a subject or relay.
    var isHot = false
    /// Some of the elements come from a source that starts a new run for each subscription.
    var isCold = false
    /// Resubscribing to it may repeat elements.
    var remembers = false
    /// The number of streams, if it is known.
    var streams: Int? = 1
    /// About how many elements one subscriber receives.
    var size = 0

    /// Elements may be dropped.
    mutating func mayDrop() {
        isGapless = false
        isComplete = false
    }

    /// The first or the last elements may be missing.
    mutating func mayCut() {
        isComplete = false
        streams = nil
    }

    /// The source is subscribed to some time after the subscriber has subscribed.
    mutating func startsLate() {
        if isHot { isComplete = false }
    }

    /// The guarantees of several chains side by side.
    static func all(of parts: [Guarantees]) -> Guarantees {
        var result = Guarantees()
        result.streams = 0
        for part in parts {
            result.isOrdered = result.isOrdered && part.isOrdered
            result.isUnique = result.isUnique && part.isUnique
            result.isGapless = result.isGapless && part.isGapless
            result.isComplete = result.isComplete && part.isComplete
            result.ends = result.ends && part.ends
            result.isHot = result.isHot || part.isHot
            result.isCold = result.isCold || part.isCold
            result.remembers = result.remembers || part.remembers
            result.streams = result.streams.flatMap { sum in part.streams.map { sum + $0 } }
            result.size += part.size
        }
        return result
    }

    var description: String {
        let held = [
            (isOrdered, "ordered"), (isUnique, "unique"), (isGapless, "gapless"), (isComplete, "complete"),
            (ends, "ends"),
        ]
        return held.filter(\.0).map(\.1).joined(separator: ", ")
    }
}
