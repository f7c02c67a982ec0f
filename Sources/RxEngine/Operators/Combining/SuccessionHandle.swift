// Unchecked: what changes is behind the lock.
/// What stops a run of sources that follow one another. It does not hold the run.
final class SuccessionHandle: Disposable, @unchecked Sendable {
    private let lock = Lock()
    @exclusivity(unchecked) private var running: LiveSubscription?
    /// What is to be disposed later than the source that left it.
    @exclusivity(unchecked) private var remains = DisposableList()
    @exclusivity(unchecked) private var wasDisposed = false
    /// Whether the running source is being started: what it will have to free is not known yet. Set where there is
    /// something to free after it.
    @exclusivity(unchecked) private var isStarting = false

    /// Disposes the source that was running, and takes in the one that is about to be started.
    ///
    /// - Parameter holdingRemains: whether what was kept is freed after that one, even if this is disposed meanwhile.
    /// - Returns: whether it may be started, and whether ``hasStarted()`` is to be called afterwards.
    func replaceRunning(
        with live: LiveSubscription, holdingRemains: Bool
    ) -> (mayStart: Bool, holdsRemains: Bool) {
        let (before, wasDisposed, holdsRemains) = lock.locked { () -> (LiveSubscription?, Bool, Bool) in
            isStarting = holdingRemains && remains.count > 0
            if self.wasDisposed { return (nil, true, isStarting) }
            defer { running = live }
            return (running, false, isStarting)
        }
        before?.dispose()
        return (!wasDisposed && !isDisposed, holdsRemains)
    }

    /// The running source has been started. Where this was disposed meanwhile, that was freed now, and the others
    /// follow.
    func hasStarted() {
        let remains = lock.locked {
            isStarting = false
            return wasDisposed ? self.remains.takeAll() : nil
        }
        remains?.disposeLatestFirst()
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

    /// The innermost first.
    func dispose() {
        let (running, remains) = lock.locked {
            wasDisposed = true
            return (self.running.take(), isStarting ? nil : self.remains.takeAll())
        }
        running?.dispose()
        remains?.disposeLatestFirst()
    }
}
