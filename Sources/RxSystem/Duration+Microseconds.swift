extension Duration {
    /// The duration in microseconds, clamped to the range from 0 to `Int64.max`.
    package var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflowed) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        if overflow || overflowed { return self < .zero ? 0 : .max }
        return max(0, sum)
    }
}
