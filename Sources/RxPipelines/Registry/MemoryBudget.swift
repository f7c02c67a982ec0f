import RxLinux
import Synchronization

/// Refuses large values that would exceed the memory limit of the process.
package final class MemoryBudget: Sendable {
    /// The size below which a value is always admitted, in bytes.
    private static let small = 64 << 10

    private let limit: Int
    private let used: @Sendable () -> Int
    /// The memory of values that are being made.
    private let expected = Atomic(0)
    /// The memory of what all pipelines remember of events.
    let remembered: MemoryQuota

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - limit: the memory that the process may have allocated after a large value was made, in bytes.
    ///   - used: returns the memory that it has allocated, in bytes.
    package init(limit: Int = .max, used: @escaping @Sendable () -> Int = { AllocatedMemory.byteCount }) {
        self.limit = limit
        self.used = used
        remembered = MemoryQuota(limit: limit == .max ? .max : limit / 2)
    }

    /// Makes a value if there is memory for it, and a replacement otherwise.
    ///
    /// - Parameters:
    ///   - byteCount: the memory that the value takes, in bytes.
    ///   - make: called with whether there is memory for the value.
    func admit<Value>(_ byteCount: Int, _ make: (Bool) -> Value) -> Value {
        if byteCount < Self.small || limit == .max { return make(true) }
        let expected = expected.add(byteCount, ordering: .relaxed).newValue
        defer { self.expected.subtract(byteCount, ordering: .relaxed) }
        return make(used() + expected <= limit)
    }

    /// Whether a value that was already made, and takes this much memory, may be kept.
    func allows(made byteCount: Int) -> Bool { byteCount < Self.small || limit == .max || used() <= limit }

    /// The memory that the unsettled values of each of `count` sources may take, in bytes. A source always has one
    /// value, however small its share is.
    func share(ofSources count: Int) -> Int { min(limit / 2 / max(1, count), UnsettledEventTable.defaultMemoryLimit) }

    /// Makes the limits of the state of a pipeline's steps, of its replay, or of the queues of its `zip`.
    ///
    /// - Parameter number: the number of queues, which share the limit of a pipeline.
    func quota(dividedBy number: Int = 1) -> MemoryQuota {
        MemoryQuota(limit: limit == .max ? .max : limit / 4 / max(1, number), within: remembered)
    }

    /// The reason for refusing a value, for a message.
    var shortage: String {
        "the daemon uses \(used() >> 20) MiB, and large values are refused above \(limit >> 20) MiB"
    }
}
