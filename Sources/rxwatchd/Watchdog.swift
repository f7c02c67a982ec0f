import RxEngine
import RxLinux
import RxPipelines

/// Feeds the service manager's watchdog for as long as every pipeline makes progress.
///
/// Each round schedules an answer on every scheduler, behind the work that is queued there; the next round feeds when
/// all have answered. An idle pipeline answers at once, one that hangs never does. A pipeline that evaluates one long
/// expression after the other does not answer, but makes progress: this counts as well.
final class Watchdog: Sendable {
    private let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.watchdog")
    private let feed: @Sendable () -> Void
    private let state = Locked(State())

    /// The schedulers that are watched, and those that have not answered yet.
    private struct State {
        var watched: [WatchedScheduler] = []
        var round = 0
        /// The progress at the last feeding of those that have not answered, by their indices.
        var unanswered: [Int: Int] = [:]
    }

    /// A watchdog that feeds by calling `feed`.
    init(feed: @escaping @Sendable () -> Void = { try? ServiceManager.notify(.watchdog) }) {
        self.feed = feed
    }

    /// Watches these schedulers from the next round on, instead of the previous ones, whose answers are no longer
    /// awaited.
    func watch(_ schedulers: [WatchedScheduler]) {
        state.withLock {
            $0.watched = schedulers
            $0.unanswered = [:]
        }
    }

    /// The number of rounds in an interval. A component that answers late is found in time if it takes less than the
    /// interval without two rounds: the one before which it has begun, and the one after which it answers.
    static let rounds = 10

    /// Starts rounds, ten in each `interval`, until the result is disposed.
    func start(_ interval: Duration) -> any Disposable {
        Observable<Int>.interval((interval / Self.rounds).interval, scheduler: scheduler)
            .subscribe(onNext: { _ in self.round() })
    }

    /// Runs one round: feeds if all schedulers have answered or made progress since the last one.
    func round() {
        let begun = state.withLock { state -> (round: Int, asked: [WatchedScheduler])? in
            let progress = state.watched.map { $0.progress() }
            if !state.unanswered.isEmpty {
                if state.unanswered.contains(where: { progress[$0] == $1 }) { return nil }
                for index in state.unanswered.keys { state.unanswered[index] = progress[index] }
                return (state.round, [])
            }
            state.round += 1
            state.unanswered = Dictionary(uniqueKeysWithValues: progress.enumerated().map { ($0, $1) })
            return (state.round, state.watched)
        }
        guard let begun else { return }
        feed()
        for (index, watched) in begun.asked.enumerated() {
            _ = watched.scheduler.schedule(()) {
                self.answer(index, in: begun.round)
                return Disposables.create()
            }
        }
    }

    /// Counts an answer, unless it belongs to a round before the last ``watch(_:)``.
    private func answer(_ index: Int, in round: Int) {
        state.withLock { state in
            if round == state.round { state.unanswered[index] = nil }
        }
    }
}
