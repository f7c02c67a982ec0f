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

    /// A number with zeros before it.
    static func padded(_ number: Int32, to width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
