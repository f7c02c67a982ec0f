/// When a span of time runs out that starts anew every so often.
///
/// A timer may be left to ring early, and is then set to what is left: so starting anew costs no more than a look at
/// the clock. Where timers are not to ring early, each start has one of its own.
struct Countdown {
    private let span: RxTimeInterval
    private let mayRingEarly: Bool
    /// When the span last started.
    private var started = Duration.zero
    /// The start that the timer is armed for; none where nothing is to ring.
    private var armedFor: Duration?
    /// The timer's number: one that has another is outdated.
    private var number: UInt64 = 0

    init(_ span: RxTimeInterval, mayRingEarly: Bool) {
        self.span = span
        self.mayRingEarly = mayRingEarly
    }

    /// Whether the span has run out, and has not started anew since.
    var isOver: Bool { armedFor == nil }

    /// A timer to arm.
    struct Timer {
        let interval: RxTimeInterval
        let number: UInt64
    }

    /// Starts the span anew.
    mutating func restart(at now: Duration) -> Timer? {
        started = now
        if armedFor != nil, mayRingEarly { return nil }
        armedFor = now
        number += 1
        return Timer(interval: span, number: number)
    }

    /// What it means that a timer has rung.
    enum Ring {
        case outdated, over
        case early(Timer)
    }

    /// The timer of this number has rung.
    mutating func ring(_ number: UInt64, at now: Duration) -> Ring {
        guard number == self.number, let start = armedFor else { return .outdated }
        if started > start {
            let left = span.left(since: started, at: now)
            if !left.isOver {
                armedFor = started
                return .early(Timer(interval: left, number: number))
            }
        }
        armedFor = nil
        return .over
    }
}
