import Synchronization

/// Counts what becomes of the lines that one sink has put on standard output.
package final class LineTally: Sendable {
    private let count = Atomic(0)

    package init() {}

    /// How many were not written.
    package var dropped: Int { count.load(ordering: .relaxed) }

    /// A line was not written.
    package func drop() {
        count.add(1, ordering: .relaxed)
    }
}

/// Takes a line for standard output, without waiting, and counts it where it is not written.
package typealias PrintLine = @Sendable (String, LineTally) -> Void
