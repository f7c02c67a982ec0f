import FoundationEssentials
import Glibc

/// The points on a clock at which an aligned interval ticks. Times are nanoseconds since 1970 in UTC.
struct WallGrid {
    private let every: Int64
    private let offset: Int64
    private let clock: TickSchedule.Clock

    init(_ schedule: TickSchedule, on clock: TickSchedule.Clock) {
        every = max(1, schedule.every.nanoseconds)
        offset = schedule.delay.nanoseconds
        self.clock = clock
    }

    /// Returns the first point after `time`.
    ///
    /// If the clock is set forward over a point (as for summer time), the point is later by the same amount. If it is set back, a
    /// point that occurs twice counts twice unless the period is longer than the repeated span.
    func first(after time: Int64) -> Int64 {
        let before = utcOffset(at: time)
        let point = last(upTo: time.addingClamped(before)).addingClamped(every)
        let guess = point.subtractingClamped(before)
        // The offset of the time zone may be different by then.
        let later = utcOffset(at: guess)
        let localTime = guess.addingClamped(later)
        guard later != before, last(upTo: localTime) != localTime else { return guess }
        let exact = point.subtractingClamped(later)
        return utcOffset(at: exact) == later && exact > time ? exact : guess
    }

    /// The last point at or before a time of the local clock.
    private func last(upTo localTime: Int64) -> Int64 {
        localTime.subtractingClamped(offset).roundedDown(to: every).addingClamped(offset)
    }

    /// The offset of the clock from UTC.
    private func utcOffset(at time: Int64) -> Int64 {
        guard clock == .local else { return 0 }
        var seconds = time_t(time.roundedDown(to: 1_000_000_000) / 1_000_000_000)
        var local = tm()
        localtime_r(&seconds, &local)
        return Int64(local.tm_gmtoff) * 1_000_000_000
    }
}

extension Int64 {
    fileprivate func roundedDown(to step: Int64) -> Int64 {
        let rest = self % step
        return subtractingClamped(rest < 0 ? rest + step : rest)
    }
}

extension Date {
    /// The time since 1970, clamped to 64 bits.
    var nanosecondsSince1970: Int64 {
        Duration.seconds(timeIntervalSince1970).nanoseconds
    }
}
