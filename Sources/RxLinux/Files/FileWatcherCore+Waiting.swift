import RxEngine
import Synchronization

extension FileWatcherCore {
    /// The longest wait for a core of this host.
    static let localTimeout = Duration.seconds(5)

    /// Notes that the core has accessed a file, or handled an event.
    func advance() { progress.add(1, ordering: .relaxed) }

    /// Returns a closure that says whether the core has advanced since the closure was called last.
    func observeProgress() -> @Sendable () -> Bool {
        let latest = Locked(progress.load(ordering: .relaxed))
        return { [weak self] in
            guard let count = self?.progress.load(ordering: .relaxed) else { return false }
            return latest.withLock { latest in
                defer { latest = count }
                return latest != count
            }
        }
    }
}
