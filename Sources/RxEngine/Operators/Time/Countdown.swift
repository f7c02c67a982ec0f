/// The state of a time span that restarts repeatedly, and of the timer that watches it.
///
/// On a scheduler with a real clock, a restart does not touch the timer: it fires early and is then set to the
/// remaining time, so that a restart costs one reading of the clock. On other schedulers a timer must not fire early,
/// and every restart arms a new one.
struct Countdown {
    private let span: RxTimeInterval
    private let mayFireEarly: Bool
    /// The time of the last restart.
    private var lastStart = Duration.zero
    /// The start of the span that the timer is armed for; `nil` if no timer is armed.
    private var armedStart: Duration?
    /// The generation of the armed timer. A timer of another generation is stale.
    private var generation: UInt64 = 0

    init(_ span: RxTimeInterval, mayFireEarly: Bool) {
        self.span = span
        self.mayFireEarly = mayFireEarly
    }

    /// Whether the span has expired and has not restarted since.
    var hasExpired: Bool { armedStart == nil }

    /// A timer to arm.
    struct Timer {
        let interval: RxTimeInterval
        let generation: UInt64
    }

    /// Restarts the span.
    ///
    /// - Returns: the timer to arm, if any.
    mutating func restart(at now: Duration) -> Timer? {
        lastStart = now
        if armedStart != nil, mayFireEarly { return nil }
        armedStart = now
        generation += 1
        return Timer(interval: span, generation: generation)
    }

    /// The result of a timer that has fired.
    enum FireResult {
        case stale, expired
        case early(Timer)
    }

    /// Handles the firing of the timer of this generation.
    mutating func fire(_ generation: UInt64, at now: Duration) -> FireResult {
        guard generation == self.generation, let start = armedStart else { return .stale }
        if lastStart > start {
            let remaining = span.remaining(since: lastStart, at: now)
            if !remaining.hasPassed {
                armedStart = lastStart
                return .early(Timer(interval: remaining, generation: generation))
            }
        }
        armedStart = nil
        return .expired
    }
}
