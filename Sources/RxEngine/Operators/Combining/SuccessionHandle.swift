// Unchecked: what changes is behind the lock.
/// What stops a run of sources that follow one another. It does not hold the run.
final class SuccessionHandle: Disposable, @unchecked Sendable {
    private let lock = Lock()
    @exclusivity(unchecked) private var running: LiveSubscription?
    /// What is to be disposed later than the source that left it.
    @exclusivity(unchecked) private var remains = DisposableList()
    @exclusivity(unchecked) private var wasDisposed = false

    /// Disposes the source that was running, and takes in the one that is about to be started.
    ///
    /// - Returns: whether it may be started.
    func replaceRunning(with live: LiveSubscription) -> Bool {
        let (before, isDisposed) = lock.locked { () -> (LiveSubscription?, Bool) in
            if wasDisposed { return (nil, true) }
            defer { running = live }
            return (running, false)
        }
        before?.dispose()
        return !isDisposed && !self.isDisposed
    }

    private var isDisposed: Bool { lock.locked { wasDisposed } }

    /// Disposes the source that was running.
    func disposeRunning() {
        lock.locked { running.take() }?.dispose()
    }

    /// Keeps the source that was running.
    ///
    /// - Returns: what it is kept as, where it was not disposed meanwhile.
    func keepRunning() -> DisposableList.Key? {
        lock.locked { running.take().map { remains.append($0) } }
    }

    /// Keeps something else.
    func keep(_ disposable: any Disposable) {
        let isDisposed = lock.locked {
            if !wasDisposed { _ = remains.append(disposable) }
            return wasDisposed
        }
        if isDisposed { disposable.dispose() }
    }

    /// Disposes what was kept.
    func disposeRemains(_ key: DisposableList.Key) {
        lock.locked { remains.remove(key) }?.dispose()
    }

    func dispose() {
        let (running, remains) = lock.locked {
            wasDisposed = true
            return (self.running.take(), self.remains.takeAll())
        }
        running?.dispose()
        remains.dispose()
    }
}
