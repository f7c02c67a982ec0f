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

    /// - Parameters:
    ///   - limit: the memory that the process may have allocated after a large value was made, in bytes.
    ///   - used: returns the memory that it has allocated, in bytes.
    package init(limit: Int = .max, used: @escaping @Sendable () -> Int = { AllocatedMemory.byteCount }) {
        self.limit = limit
        self.used = used
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

    /// The memory that the unsettled values of each of `count` sources may take, in bytes.
    func share(ofSources count: Int) -> Int {
        let share = limit / 2 / max(1, count)
        return min(max(share, Self.smallestShare), Unsettled.defaultMemoryLimit)
    }

    /// The memory that the state of a pipeline's steps may take, in bytes.
    var shareOfSteps: Int { limit == .max ? .max : limit / 4 }

    private static let smallestShare = 256 << 10

    /// The reason for refusing a value, for a message.
    var shortage: String {
        "the daemon uses \(used() >> 20) MiB, and large values are refused above \(limit >> 20) MiB"
    }
}
