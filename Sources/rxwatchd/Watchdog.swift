import RxEngine
import RxLinux

/// Feeds the service manager's watchdog for as long as every pipeline makes progress.
///
/// Each round asks every scheduler to answer, behind whatever it has to do; the next feeding waits until all have. An
/// idle pipeline answers at once, one that hangs never does.
final class Watchdog: Sendable {
    private let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.watchdog")
    private let feed: @Sendable () -> Void
    private let state = Locked(State())

    private struct State {
        var watched: [any SchedulerType] = []
        var round = 0
        var unanswered = 0
    }

    /// A watchdog that feeds by calling `feed`.
    init(feed: @escaping @Sendable () -> Void = { try? ServiceManager.notify(.watchdog) }) {
        self.feed = feed
    }

    /// Watches these schedulers from the next round on, in place of those before, which need no longer answer.
    func watch(_ schedulers: [any SchedulerType]) {
        state.withLock {
            $0.watched = schedulers
            $0.unanswered = 0
        }
    }

    /// Feeds three times an `interval`.
    func start(_ interval: Duration) -> any Disposable {
        Observable<Int>.interval((interval / 3).interval, scheduler: scheduler).subscribe(onNext: { _ in self.round() })
    }

    func round() {
        let begun = state.withLock { state -> (round: Int, asked: [any SchedulerType])? in
            guard state.unanswered == 0 else { return nil }
            state.round += 1
            state.unanswered = state.watched.count
            return (state.round, state.watched)
        }
        guard let begun else { return }
        feed()
        for scheduler in begun.asked {
            _ = scheduler.schedule(()) {
                self.answer(in: begun.round)
                return Disposables.create()
            }
        }
    }

    /// Counts an answer, unless it comes from before the last ``watch(_:)``.
    private func answer(in round: Int) {
        state.withLock { state in
            if round == state.round { state.unanswered = max(0, state.unanswered - 1) }
        }
    }
}
