import RxEngine
import RxPipelines
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

    init(_ store: UnsettledStore, on scheduler: any SchedulerType) {
        self.store = store
        self.scheduler = scheduler
    }

    /// From now on it is this graph's events.
    func show(_ graph: Graph) {
        let before = self.graph.withLock { current in
            defer { current = graph }
            return current
        }
        withExtendedLifetime(before) {}
        wake()
    }

    /// Something was left to do for an event.
    func wake() {
        if isDue.load(ordering: .relaxed) || isDue.exchange(true, ordering: .acquiringAndReleasing) { return }
        timer.disposable = scheduler.scheduleRelative((), dueTime: Self.period.interval) {
            self.keep()
            return Disposables.create()
        }
    }

    private func keep() {
        isDue.store(false, ordering: .releasing)
        guard let graph = graph.withLock({ $0 }) else { return }
        let events = graph.unsettled
        store.keep(events)
        if !events.isEmpty { wake() }
    }

    /// Writes nothing any more.
    func stop() {
        isDue.store(true, ordering: .releasing)
        timer.dispose()
        let last = graph.withLock { $0.take() }
        withExtendedLifetime(last) {}
    }
}
