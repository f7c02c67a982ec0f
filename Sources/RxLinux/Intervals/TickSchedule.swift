/// The schedule of an interval.
public struct TickSchedule: Sendable, Hashable {
    /// The clock of an aligned interval, which ticks at multiples of its period.
    public enum Clock: Sendable, Hashable {
        /// UTC: days begin at its midnight, weeks on Thursdays.
        case utc
        /// The host's time zone: a day that is an hour longer or shorter makes one period so.
        case local
    }

    /// The time from one tick to the next.
    public var every: Duration
    /// The time until the first tick; for an aligned interval, the offset of each tick from a multiple of ``every``.
    public var delay: Duration
    /// The most that a tick is delayed at random, drawn for each tick, so that many hosts do not act at the same time.
    public var jitter: Duration
    /// The clock on whose multiples of ``every`` it ticks, such as on the quarter of an hour.
    ///
    /// `nil` if it is not aligned.
    public var align: Clock?

    /// Creates a schedule with a tick each `every`.
    ///
    /// - Parameters:
    ///   - every: the time from one tick to the next.
    ///   - delay: the time until the first tick, default: one period. For an aligned interval, the offset of each tick
    ///     from a multiple of `every`, default: zero.
    ///   - jitter: the most that a tick is delayed at random.
    ///   - align: the clock on whose multiples of `every` it ticks; `nil` if it is not aligned.
    public init(every: Duration, delay: Duration? = nil, jitter: Duration = .zero, align: Clock? = nil) {
        self.every = every
        self.delay = delay ?? (align == nil ? every : .zero)
        self.jitter = jitter
        self.align = align
    }
}
