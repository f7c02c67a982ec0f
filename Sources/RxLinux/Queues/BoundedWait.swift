import Dispatch
import RxEngine
import Synchronization

/// Waits for work on a serial queue that a server or a disk may block.
final class BoundedWait: Sendable {
    private let queue: DispatchQueue
    /// The longest wait.
    let timeout: Duration
    private let blocked = Atomic(false)

    init(for queue: DispatchQueue, timeout: Duration) {
        self.queue = queue
        self.timeout = timeout
    }

    /// Whether the last wait has timed out, and the queue has not answered since. No caller waits then.
    var isBlocked: Bool { blocked.load(ordering: .acquiring) }

    /// Calls `body` on the queue, and waits for the result as long as a server may take. Can be called on any other
    /// thread.
    ///
    /// - Parameters:
    ///   - body: called in any case, even after the caller has stopped waiting.
    ///   - late: called on the queue with the result of a `body` that has taken too long.
    /// - Returns: the result; `nil` if it takes too long.
    func callAsFunction<Value: Sendable>(
        for body: @escaping @Sendable () -> Value, late: @escaping @Sendable (Value) -> Void = { _ in }
    ) -> Value? {
        let result = Locked<(value: Value?, isLate: Bool)>((nil, false))
        let done = DispatchSemaphore(value: 0)
        queue.async { [self] in
            let value = body()
            let isLate = result.withLock {
                $0.value = value
                return $0.isLate
            }
            done.signal()
            guard isLate else { return }
            blocked.store(false, ordering: .releasing)
            late(value)
        }
        let limit = isBlocked ? .zero : timeout
        _ = done.wait(timeout: .now() + limit.interval)
        return result.withLock {
            $0.isLate = $0.value == nil
            if $0.isLate { blocked.store(true, ordering: .releasing) }
            return $0.value
        }
    }
}
