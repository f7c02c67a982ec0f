import Glibc

/// A time of day and a date in the host's time zone, as text.
package struct LocalTime {
    private var parts = tm()

    /// Converts a time.
    ///
    /// - Parameter time: the time, in seconds since 1970.
    package init(_ time: time_t) {
        var time = time
        localtime_r(&time, &parts)
    }

    /// The time of day: `23:01:45`.
    package var clock: String {
        [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.padded($0, to: 2) }.joined(separator: ":")
    }

    /// The date: `2026-11-20`.
    package var date: String {
        [parts.tm_year + 1_900, parts.tm_mon + 1, parts.tm_mday].map { Self.padded($0, to: 2) }.joined(separator: "-")
    }

    /// The time of day with milliseconds: `23:01:45.007`.
    ///
    /// - Parameter microseconds: of the time since 1970.
    package static func clock(ofMicroseconds microseconds: Int64) -> String {
        let milliseconds = padded(Int32(microseconds / 1_000 % 1_000), to: 3)
        return "\(LocalTime(time_t(microseconds / 1_000_000)).clock).\(milliseconds)"
    }

    /// A number with zeros before it.
    private static func padded(_ number: Int32, to width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
