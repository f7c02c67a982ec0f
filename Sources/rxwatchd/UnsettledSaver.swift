import RxEngine
import RxPipelines
import RxStore
import Synchronization

/// Saves the unsettled events every second while there are any, so that a killed process loses little.
final class UnsettledSaver: Sendable {
    private static let period = Duration.seconds(1)

    private let store: UnsettledStore
    private let scheduler: any SchedulerType
    private let isDue = Atomic(false)
    private let timer = SerialDisposable()
    private let graph = Locked<Graph?>(nil)
    /// The graph's version that was saved last.
    private let version = Locked<Int?>(nil)
    private let hasFailed = Atomic(false)
    private let tell: @Sendable (DatabaseError?) -> Void

    /// - Parameter tell: called with the first failure of several, and with `nil` when saving works again.
    init(
        _ store: UnsettledStore, on scheduler: any SchedulerType, tell: @escaping @Sendable (DatabaseError?) -> Void
    ) {
        self.store = store
        self.tell = tell
        self.scheduler = scheduler
    }

    /// Saves this graph's events from now on.
    func show(_ graph: Graph) {
        let before = self.graph.withLock { current in
            defer { current = graph }
            return current
        }
        withExtendedLifetime(before) {}
        version.withLock { $0 = nil }
        wake()
    }

    /// Schedules a save, if none is scheduled.
    func wake() {
        if isDue.load(ordering: .relaxed) || isDue.exchange(true, ordering: .acquiringAndReleasing) { return }
        timer.hold {
            scheduler.scheduleRelative((), dueTime: Self.period.interval) {
                self.keep()
                return Disposables.create()
            }
        }
    }

    private func keep() {
        isDue.store(false, ordering: .releasing)
        guard let graph = graph.withLock({ $0 }) else { return }
        let current = graph.unsettledVersion
        if version.withLock({ $0 }) != current {
            // A save that is still running is not waited for: the next tick tries again.
            _ = store.keep(graph.unsettled) { self.wrote(current, $0) }
        }
        if graph.unsettledCount > 0 { wake() }
    }

    private func wrote(_ version: Int, _ error: DatabaseError?) {
        self.version.withLock { $0 = error == nil ? version : nil }
        let hadFailed = hasFailed.exchange(error != nil, ordering: .relaxed)
        if hadFailed != (error != nil) { tell(error) }
    }

    /// Saves nothing any more.
    func stop() {
        isDue.store(true, ordering: .releasing)
        timer.dispose()
        let last = graph.withLock { $0.take() }
        withExtendedLifetime(last) {}
    }
}
