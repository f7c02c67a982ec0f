// Unchecked: the lock guards all mutable state.
/// The disposable of a run of sources one after the other. It does not retain the run.
final class ConcatRunHandle: Disposable, @unchecked Sendable {
    private let lock = Lock()
    @exclusivity(unchecked) private var running: LiveSubscription?
    /// Disposables that are disposed after the running source, the latest first.
    @exclusivity(unchecked) private var kept = DisposableList()
    @exclusivity(unchecked) private var wasDisposed = false
    /// Whether the running source is being started, so that its disposable is not known yet. Only set if there are
    /// disposables to dispose after it; a dispose during the start leaves them to ``hasStarted()``.
    @exclusivity(unchecked) private var isStarting = false

    /// Disposes the source that was running, and registers the one that is about to start.
    ///
    /// - Parameters:
    ///   - live: the subscription of the source that is about to start.
    ///   - holdingKept: whether the kept disposables are disposed after that source, even if the handle is disposed
    ///     during its start.
    /// - Returns: whether the source may start, and whether ``hasStarted()`` has to be called afterwards.
    func replaceRunning(
        with live: LiveSubscription, holdingKept: Bool
    ) -> (mayStart: Bool, holdsKept: Bool) {
        let (before, wasDisposed, holdsKept) = lock.locked { () -> (LiveSubscription?, Bool, Bool) in
            isStarting = holdingKept && kept.count > 0
            if self.wasDisposed { return (nil, true, isStarting) }
            defer { running = live }
            return (running, false, isStarting)
        }
        before?.dispose()
        return (!wasDisposed && !isDisposed, holdsKept)
    }

    /// Handles that the running source has been started. If the handle was disposed during the start, the source has
    /// been disposed by now, and the kept disposables follow.
    func hasStarted() {
        let kept = lock.locked {
            isStarting = false
            return wasDisposed ? self.kept.takeAll() : nil
        }
        kept?.disposeLatestFirst()
    }

    private var isDisposed: Bool { lock.locked { wasDisposed } }

    /// Disposes the source that was running.
    func disposeRunning() {
        lock.locked { running.take() }?.dispose()
    }

    /// Keeps the disposable of the source that was running.
    ///
    /// - Returns: its key, or `nil` if it was disposed meanwhile.
    func keepRunning() -> DisposableList.Key? {
        lock.locked { running.take().map { kept.append($0) } }
    }

    /// Keeps another disposable, or disposes it if the handle was disposed.
    func keep(_ disposable: any Disposable) {
        let isDisposed = lock.locked {
            if !wasDisposed { _ = kept.append(disposable) }
            return wasDisposed
        }
        if isDisposed { disposable.dispose() }
    }

    /// Disposes a kept disposable.
    func disposeKept(_ key: DisposableList.Key) {
        lock.locked { kept.remove(key) }?.dispose()
    }

    /// Disposes the running source and then the kept disposables, the innermost first.
    func dispose() {
        let (running, kept) = lock.locked {
            wasDisposed = true
            return (self.running.take(), isStarting ? nil : self.kept.takeAll())
        }
        running?.dispose()
        kept?.disposeLatestFirst()
    }
}
