/// Limits the memory of the bodies of all responses that are being received. Used on one thread.
final class BodyBudget {
    /// A response has this much in any case.
    private static let small = 64 << 10

    private let limit: Int
    private var used = 0

    /// - Parameter limit: the most bytes of all bodies together.
    init(limit: Int) {
        self.limit = limit
    }

    /// Reserves memory for the next piece of a body.
    ///
    /// - Parameter received: the bytes of the body that were received before.
    /// - Returns: whether there is memory for it.
    func reserve(_ byteCount: Int, after received: Int) -> Bool {
        guard received + byteCount <= Self.small || used + byteCount <= limit else { return false }
        used += byteCount
        return true
    }

    func release(_ byteCount: Int) { used -= byteCount }
}
