import Dispatch
import RxEngine
import Synchronization

extension FileWatcherCore {
    /// The longest wait for a core of this host, which is busy while it walks many directories.
    private static let localTimeout = Duration.seconds(5)

    /// Whether the last wait for this core has timed out, and it has not answered since: it waits for a server or a
    /// disk.
    var isBlocked: Bool { blocked.load(ordering: .acquiring) }

    /// Calls `body` on the queue, and waits for the result as long as a server may take. Can be called on any other
    /// thread.
    ///
    /// - Parameters:
    ///   - body: called in any case, even after the caller has stopped waiting.
    ///   - late: called on the queue with the result of a `body` that has taken too long.
    /// - Returns: the result; `nil` if it takes too long.
    func wait<Value: Sendable>(
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
        let limit = isBlocked ? .zero : isRemote ? RemoteCores.serverTimeout : Self.localTimeout
        _ = done.wait(timeout: .now() + limit.interval)
        return result.withLock {
            $0.isLate = $0.value == nil
            if $0.isLate { blocked.store(true, ordering: .releasing) }
            return $0.value
        }
    }
}
