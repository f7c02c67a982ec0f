import Synchronization

/// Limits the memory of what is being received: the bodies of all responses of a client, or the output of all commands.
final class InputBudget: Sendable {
    /// Each body or output has this much in any case.
    static let small = 64 << 10

    private let limit: Int
    private let used = Atomic(0)

    /// - Parameter limit: the most bytes of all of them together.
    init(limit: Int) {
        self.limit = limit
    }

    /// Reserves memory for the next piece of a body or an output.
    ///
    /// - Parameters:
    ///   - byteCount: the size of the piece.
    ///   - received: the bytes of the same body or output that were received before.
    /// - Returns: whether there is memory for it.
    func reserve(_ byteCount: Int, after received: Int) -> Bool {
        let all = used.add(byteCount, ordering: .relaxed).newValue
        if all <= limit || received + byteCount <= Self.small { return true }
        release(byteCount)
        return false
    }

    func release(_ byteCount: Int) { used.subtract(byteCount, ordering: .relaxed) }
}
