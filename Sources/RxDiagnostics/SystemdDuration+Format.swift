extension SystemdDuration {
    /// Returns a duration as `parse` accepts it and a person reads it: `1h`, `1min 30s`, `1.5s`, and `0` for none.
    ///
    /// The units are in descending order; below a minute it is one unit with a fraction, as in systemd.
    package static func format(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if seconds < 0 || attoseconds < 0 { return "-\(format(.zero - duration))" }
        var parts: [String] = []
        var rest = seconds
        for (unit, length) in longUnits where rest >= length {
            parts.append("\(rest / length)\(unit)")
            rest %= length
        }
        let microseconds = rest * 1_000_000 + attoseconds / 1_000_000_000_000
        if let (unit, length) = shortUnits.first(where: { microseconds >= $0.1 }) {
            parts.append("\(decimal(microseconds, over: length))\(unit)")
        }
        return parts.isEmpty ? "0" : parts.joined(separator: " ")
    }

    /// In seconds.
    private static let longUnits: [(String, Int64)] = [
        ("y", 31_557_600), ("month", 2_629_800), ("w", 604_800), ("d", 86_400), ("h", 3_600), ("min", 60),
    ]

    /// In microseconds.
    private static let shortUnits: [(String, Int64)] = [("s", 1_000_000), ("ms", 1_000), ("us", 1)]

    /// Returns `count / unit` without trailing zeros; `unit` is a power of ten.
    private static func decimal(_ count: Int64, over unit: Int64) -> String {
        var fraction = ""
        var rest = count % unit
        while rest > 0 {
            fraction += "\(rest * 10 / unit)"
            rest = rest * 10 % unit
        }
        return "\(count / unit)\(fraction.isEmpty ? "" : ".")\(fraction)"
    }
}
