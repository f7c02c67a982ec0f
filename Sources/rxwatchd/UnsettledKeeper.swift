import RxEngine
import RxPipelines
import RxStore
import Synchronization

/// Writes down what is not settled, a second after something was left to do and every second while there is something: a
/// process that is killed leaves that to the next.
final class UnsettledKeeper: Sendable {
    private static let period = Duration.seconds(1)

    private let store: UnsettledStore
    private let scheduler: any SchedulerType
    private let isDue = Atomic(false)
    private let timer = SerialDisposable()
    private let graph = Locked<Graph?>(nil)
    /// Of what was written last.
    private let version = Locked<Int?>(nil)
    private let hasFailed = Atomic(false)
    private let tell: @Sendable (DatabaseError?) -> Void

    /// - Parameter tell: told of the first failure of several, and with none when something can be written again.
    init(
        _ store: UnsettledStore, on scheduler: any SchedulerType, tell: @escaping @Sendable (DatabaseError?) -> Void
    ) {
        self.store = store
        self.tell = tell
        self.scheduler = scheduler
    }

    /// From now on it is this graph's events.
    func show(_ graph: Graph) {
        let before = self.graph.withLock { current in
            defer { current = graph }
            return current
        }
        withExtendedLifetime(before) {}
        version.withLock { $0 = nil }
        wake()
    }

    /// Something was left to do for an event.
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
            // While the one before is being written, the next time will do.
            _ = store.keep(graph.unsettled) { self.wrote(current, $0) }
        }
        if graph.unsettledCount > 0 { wake() }
    }

    private func wrote(_ version: Int, _ error: DatabaseError?) {
        self.version.withLock { $0 = error == nil ? version : nil }
        let hadFailed = hasFailed.exchange(error != nil, ordering: .relaxed)
        if hadFailed != (error != nil) { tell(error) }
    }

    /// Writes nothing any more.
    func stop() {
        isDue.store(true, ordering: .releasing)
        timer.dispose()
        let last = graph.withLock { $0.take() }
        withExtendedLifetime(last) {}
    }
}
