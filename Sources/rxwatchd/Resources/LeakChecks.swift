import RxEngine
import RxPipelines

/// Checks, some time after a reload, that everything it has replaced is released.
final class LeakChecks: Sendable {
    private let scheduler: any SchedulerType
    /// The timers of future checks. Empty, it holds no live object, which a stop would count.
    private let pending = Locked(ScheduledChecks())
    private let onLeak: @Sendable (Resources.Account) -> Void
    private let found = Locked<[Resources.Account]>([])

    /// The checks that are scheduled.
    private struct ScheduledChecks {
        var timers: [Int: SerialDisposable] = [:]
        var made = 0
        var isOver = false
    }

    /// - Parameter onLeak: called on the scheduler with each account that still has live objects.
    init(on scheduler: any SchedulerType, onLeak: @escaping @Sendable (Resources.Account) -> Void) {
        self.scheduler = scheduler
        self.onLeak = onLeak
    }

    /// Checks the accounts of replaced nodes when their sinks have had the time of the drain.
    ///
    /// - Parameters:
    ///   - accounts: the accounts, which must be empty then.
    ///   - drain: how long sinks may finish their work.
    ///   - isBusy: whether the nodes have more time, since another reload has followed.
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
            for account in accounts where account.total > 0 {
                self.add(account)
                self.onLeak(account)
            }
            let timer = self.pending.withLock { $0.timers.removeValue(forKey: number) }
            withExtendedLifetime(timer) {}
            return true
        }
        schedule(timer, after: drain + .seconds(1), isDone)
    }

    /// The most accounts with leaks that are remembered: each has its record already.
    private static let maximumFound = 1000

    /// Remembers an account with live objects, and forgets those that have none any more: nobody may ask for them.
    private func add(_ account: Resources.Account) {
        let released = found.withLock { found in
            let all = found
            found.removeAll { $0.total == 0 }
            if found.count < Self.maximumFound, !found.contains(where: { $0 === account }) { found.append(account) }
            return all
        }
        withExtendedLifetime(released) {}
    }

    /// The accounts that had live objects at their check, and still have.
    var leaking: [Resources.Account] {
        let (alive, released) = found.withLock { found in
            let all = found
            found.removeAll { $0.total == 0 }
            return (found, all)
        }
        return withExtendedLifetime(released) { alive }
    }

    /// Cancels all checks.
    func dispose() {
        let timers = pending.withLock { pending in
            pending.isOver = true
            defer { pending.timers = [:] }
            return pending.timers
        }
        for timer in timers.values { timer.dispose() }
    }

    /// Calls `isDone` after this time, and again after the same time until it returns `true`.
    private func schedule(_ timer: SerialDisposable, after span: Duration, _ isDone: @escaping @Sendable () -> Bool) {
        timer.hold {
            scheduler.scheduleRelative((), dueTime: span.interval) {
                if !isDone() { self.schedule(timer, after: span, isDone) }
                return Disposables.create()
            }
        }
    }
}

extension Recorder {
    /// Records that an account has more live objects than it should.
    func recordLeak(_ account: Resources.Account, _ problem: String) {
        record(
            .error, .err,
            "\(account.name) has \(account.total) live objects, \(account.count(of: .subscription)) of them "
                + "subscriptions; \(problem)\(SubscriptionRecording.alive(account.name))",
            [
                .pipeline: account.name, .total: String(account.total),
                .observables: String(account.count(of: .observable)),
                .subscriptions: String(account.count(of: .subscription)),
                .disposables: String(account.count(of: .disposable)),
                .subjects: String(account.count(of: .subject)), .timers: String(account.count(of: .timer)),
            ])
    }
}
