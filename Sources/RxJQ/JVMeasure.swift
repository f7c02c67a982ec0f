/// A measurement of the memory that jq values take after their conversion to JSON.
///
/// A value counts once for each place that holds it. In jq, an array that holds the same array twice takes little
/// memory, however often that is repeated; converted, it doubles each time.
struct JVMeasure {
    /// Whether converting the values to JSON and back preserves them, which it does unless a number is not finite.
    var isExact = true
    /// The number of bytes left until the limit.
    private(set) var left: Int

    /// - Parameter limit: the most bytes of memory that the values may take.
    init(limit: Int) {
        left = limit
    }

    mutating func add(_ byteCount: Int) throws(JQError) {
        left -= byteCount
        if left < 0 { throw Self.error }
    }

    private static let error = JQError(
        "its result needs more than \(JQLimits.outputMemory >> 20) MiB of memory")
}
