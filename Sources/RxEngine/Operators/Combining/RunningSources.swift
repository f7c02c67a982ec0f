// Unchecked: the lock guards all mutable state.
/// The sources that an operator with several sources is running, and the disposable of its run: it disposes them all.
///
/// It does not retain the operator's sinks, so that a run is released when its sources have released it.
@usableFromInline
final class RunningSources: Disposable, @unchecked Sendable {
    typealias Key = DisposableList.Key

    private let lock = Lock()
    @exclusivity(unchecked) private var running = DisposableList()
    @exclusivity(unchecked) private var wasDisposed = false

    /// Adds a source that is about to start.
    ///
    /// - Returns: its key, or `nil` if the run was disposed, and the source with it.
    func add(_ live: LiveSubscription) -> Key? {
        let key = lock.locked { wasDisposed ? nil : running.append(live) }
        if key == nil { live.dispose() }
        return key
    }

    /// Removes a source that has ended, unless it is the last one. The last one stays until the end of the run was
    /// delivered, so that disposing the run inside that end disposes the last source, too.
    ///
    /// - Returns: whether it is the last one.
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

    /// Whether no source is running.
    var isEmpty: Bool { lock.locked { running.count == 0 } }

    /// Disposes all sources, and every source that is added later.
    @usableFromInline
    func dispose() {
        let stopped = lock.locked {
            wasDisposed = true
            return running.takeAll()
        }
        stopped.dispose()
    }
}
