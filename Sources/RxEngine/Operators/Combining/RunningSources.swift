// Unchecked: what changes is behind the lock.
/// The sources that an operator with several of them is running: what its run returns, and disposing it stops them all.
///
/// It does not hold the operator's sinks, so that a run whose sources let go of it goes.
@usableFromInline
final class RunningSources: Disposable, @unchecked Sendable {
    typealias Key = DisposableList.Key

    private let lock = Lock()
    @exclusivity(unchecked) private var running = DisposableList()
    @exclusivity(unchecked) private var wasDisposed = false

    /// Takes a source in that is about to be started.
    ///
    /// - Returns: its key; `nil` where all have been stopped and so has this.
    func add(_ live: LiveSubscription) -> Key? {
        let key = lock.locked { wasDisposed ? nil : running.append(live) }
        if key == nil { live.dispose() }
        return key
    }

    /// Removes a source that has ended, unless it is the last: that one stays until the operator's own end was
    /// delivered, so that whoever disposes the run inside that end frees the last source too.
    ///
    /// - Returns: whether it is the last.
    func removeUnlessLast(_ key: Key) -> Bool {
        let (ended, isLast) = lock.locked { () -> ((any Disposable)?, Bool) in
            running.count == 1 && running.contains(key) ? (nil, true) : (running.remove(key), false)
        }
        return withExtendedLifetime(ended) { isLast }
    }

    /// Removes a source that has ended or was disposed.
    func remove(_ key: Key) {
        let removed = lock.locked { running.remove(key) }
        withExtendedLifetime(removed) {}
    }

    /// Whether none is running.
    var isEmpty: Bool { lock.locked { running.count == 0 } }

    /// Stops them all, and whatever is added later.
    @usableFromInline
    func dispose() {
        let stopped = lock.locked {
            wasDisposed = true
            return running.takeAll()
        }
        stopped.dispose()
    }
}
