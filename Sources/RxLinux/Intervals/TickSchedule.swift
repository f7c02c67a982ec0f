/// When an interval ticks.
public struct TickSchedule: Sendable, Hashable {
    /// Whose multiples an aligned interval ticks on.
    public enum Clock: Sendable, Hashable {
        /// The time in UTC: days begin at its midnight, weeks on Thursdays.
        case utc
        /// The host's own time zone: a day that is an hour longer or shorter than others makes one period so.
        case local
    }

    /// The time from one tick to the next.
    public var every: Duration
    /// The time until the first tick; where it is aligned, by how much each tick comes after a multiple of ``every``.
    public var delay: Duration
    /// By how much a tick may come late, drawn anew for each, so that many hosts do not act as one.
    public var jitter: Duration
    /// Where it ticks on multiples of ``every``, such as on the quarter of an hour, the clock that says so.
    public var align: Clock?

    /// A tick `every` so often; the first after `delay`, or else after one period. An aligned one ticks whenever the
    /// time of day is a multiple of `every`, or `delay` after that.
    public init(every: Duration, delay: Duration? = nil, jitter: Duration = .zero, align: Clock? = nil) {
        self.every = every
        self.delay = delay ?? (align == nil ? every : .zero)
        self.jitter = jitter
        self.align = align
    }
}
