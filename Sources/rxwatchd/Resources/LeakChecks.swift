import RxEngine
import RxPipelines

/// Looks, some time after reloads, whether what they have replaced has come to nothing.
final class LeakChecks: Sendable {
    private let scheduler: any SchedulerType
    /// The timers of the checks to come. Empty, it holds no live resource: those are counted at a stop.
    private let pending = Locked(Pending())
    private let onLeak: @Sendable (Resources.Account) -> Void

    private struct Pending {
        var timers: [Int: SerialDisposable] = [:]
        var made = 0
        var isOver = false
    }

    /// - Parameter onLeak: called on the scheduler with each account that something is left of.
    init(on scheduler: any SchedulerType, onLeak: @escaping @Sendable (Resources.Account) -> Void) {
        self.scheduler = scheduler
        self.onLeak = onLeak
    }

    /// Looks when sinks have had the time that they may take: what the accounts have counted has been replaced.
    ///
    /// - Parameter isBusy: whether they have more time, since another reload has followed.
    func expectNothing(
        of accounts: [Resources.Account], after drain: Duration, unless isBusy: @escaping @Sendable () -> Bool
    ) {
        guard Resources.isTraced, !accounts.isEmpty else { return }
        let timer = SerialDisposable()
        let number = pending.withLock { pending -> Int? in
            if pending.isOver { return nil }
            pending.made += 1
            pending.timers[pending.made] = timer
            return pending.made
        }
        guard let number else { return }
        let isDone: @Sendable () -> Bool = {
            if isBusy() { return false }
            for account in accounts where account.total > 0 { self.onLeak(account) }
            let timer = self.pending.withLock { $0.timers.removeValue(forKey: number) }
            withExtendedLifetime(timer) {}
            return true
        }
        look(timer, after: drain + .seconds(1), isDone)
    }

    /// Looks no more.
    func dispose() {
        let timers = pending.withLock { pending in
            pending.isOver = true
            defer { pending.timers = [:] }
            return pending.timers
        }
        for timer in timers.values { timer.dispose() }
    }

    private func look(_ timer: SerialDisposable, after span: Duration, _ isDone: @escaping @Sendable () -> Bool) {
        timer.hold {
            scheduler.scheduleRelative((), dueTime: span.interval) {
                if !isDone() { self.look(timer, after: span, isDone) }
                return Disposables.create()
            }
        }
    }
}

extension Recorder {
    func recordLeak(_ account: Resources.Account, _ problem: String) {
        record(
            .error, .err,
            "\(account.name) has \(account.total) live resources, \(account.count(of: .subscription)) of them "
                + "subscriptions; \(problem)",
            [
                .pipeline: account.name, .total: String(account.total),
                .observables: String(account.count(of: .observable)),
                .subscriptions: String(account.count(of: .subscription)),
                .disposables: String(account.count(of: .disposable)),
                .subjects: String(account.count(of: .subject)), .timers: String(account.count(of: .timer)),
            ])
    }
}
