/// The limit of a batch of work, after which other work gets to run: a number of items, or a time.
///
/// The clock is read after the first, second, fourth, eighth … item only.
struct BatchLimit {
    /// The number of items of a batch.
    static let maximumCount: UInt32 = 256
    /// For how many nanoseconds a batch starts items.
    static let maximumTime: UInt64 = 1_000_000

    private var count: UInt32 = 0
    private var start: UInt64?
    /// The nanoseconds from the start until the clock was last read.
    private(set) var time: UInt64 = 0

    /// Starts a batch.
    ///
    /// - Parameter start: the time; `nil` to start after the first item, which saves a batch of one item from reading the
    ///   clock before it.
    @inline(__always)
    init(start: UInt64?) {
        self.start = start
    }

    /// Counts an item.
    ///
    /// - Returns: whether the batch is over.
    @inline(__always)
    mutating func countItem() -> Bool {
        count += 1
        guard count & (count - 1) == 0 else { return false }
        let now = TimerQueue.now
        let start = start ?? now
        self.start = start
        time = now - start
        return count >= Self.maximumCount || time >= Self.maximumTime
    }
}
