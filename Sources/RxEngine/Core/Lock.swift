import Synchronization

/// A lock for the stored properties beside it.
///
/// A `Mutex` around a generic value makes unspecialised code look its layout up at every access, which costs more than
/// the lock itself; around nothing it does not.
struct Lock: ~Copyable, Sendable {
    private let mutex = Mutex(())

    /// Runs `body` under the lock. It decides and returns what to do; it calls nobody.
    @inline(__always)
    func locked<Result>(_ body: () -> Result) -> Result {
        mutex.withLock { _ in Passed(value: body()) }.value
    }

    // Unchecked: it only passes from inside the lock to outside on one thread.
    private struct Passed<Value>: @unchecked Sendable {
        let value: Value
    }
}
