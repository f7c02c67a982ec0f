import RxEngine
import RxLinux
import Synchronization

/// Feeds the service manager's watchdog for as long as every pipeline makes progress.
///
/// Each round asks every scheduler to answer, behind whatever it has to do; the next feeding waits until all have. An
/// idle pipeline answers at once, one that hangs never does.
final class Watchdog: Sendable {
    private let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.watchdog")
    private let feed: @Sendable () -> Void
    private let unanswered = Atomic(0)
    private let watched = Mutex<[any SchedulerType]>([])

    /// A watchdog that feeds by calling `feed`.
    init(feed: @escaping @Sendable () -> Void = { try? ServiceManager.tell(.watchdog) }) {
        self.feed = feed
    }

    /// Watches these schedulers from the next round on, in place of those before.
    func watch(_ schedulers: [any SchedulerType]) {
        watched.withLock { $0 = schedulers }
    }

    /// Feeds three times an `interval`.
    func start(_ interval: Duration) -> any Disposable {
        Observable<Int>.interval((interval / 3).interval, scheduler: scheduler).subscribe(onNext: { _ in self.round() })
    }

    func round() {
        guard unanswered.load(ordering: .acquiring) == 0 else { return }
        feed()
        let schedulers = watched.withLock { $0 }
        unanswered.store(schedulers.count, ordering: .releasing)
        for scheduler in schedulers {
            _ = scheduler.schedule(()) {
                self.unanswered.subtract(1, ordering: .acquiringAndReleasing)
                return Disposables.create()
            }
        }
    }
}
