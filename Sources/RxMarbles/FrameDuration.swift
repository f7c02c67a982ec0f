/// How long a frame lasts: converts between times such as `10ms` and numbers of frames.
struct FrameDuration {
    /// The units, the longest first. A time is printed in the first one of which it is a multiple.
    private static let units: [(name: String, nanoseconds: Int)] = [
        ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000),
        ("ms", 1_000_000), ("us", 1_000),
        ("ns", 1),
    ]

    private let nanoseconds: Int

    /// - Parameter duration: one shorter than a nanosecond counts as a nanosecond, one longer than a year as a year.
    init(_ duration: Duration) {
        let year = 366 * 86_400
        let (seconds, attoseconds) = duration.components
        let whole = min(max(Int(clamping: seconds), 0), year)
        // Rounded: a duration that was made from a floating-point number may lack a part of a nanosecond.
        nanoseconds = max(1, whole * 1_000_000_000 + (Int(clamping: attoseconds) + 500_000_000) / 1_000_000_000)
    }

    static func isUnit(_ name: String) -> Bool { units.contains { $0.name == name } }

    /// Returns the number of frames in `count` units, or `nil` if that is not a whole number. Too many are `Int.max`.
    func frames(in count: Int, _ unit: String) -> Int? {
        guard let unit = Self.units.first(where: { $0.name == unit }) else { return nil }
        return Self.quotient(of: count, times: unit.nanoseconds, by: nanoseconds)
    }

    /// The time of `count` frames as text.
    func text(ofFrames count: Int) -> String {
        for unit in Self.units {
            if let number = Self.quotient(of: count, times: nanoseconds, by: unit.nanoseconds) {
                return "\(number)\(unit.name)"
            }
        }
        return ""
    }

    /// The duration of a frame as text.
    var text: String { text(ofFrames: 1) }

    /// Returns `count * factor / divisor`, or `nil` if that is not a whole number. The product may need 128 bits.
    private static func quotient(of count: Int, times factor: Int, by divisor: Int) -> Int? {
        let product = count.magnitude.multipliedFullWidth(by: factor.magnitude)
        guard product.high < divisor.magnitude else { return .max }
        let (quotient, remainder) = divisor.magnitude.dividingFullWidth(product)
        return remainder == 0 ? Int(clamping: quotient) : nil
    }
}
