import FoundationEssentials
import RxControl
import RxEngine
import RxLinux
import RxPipelines

// Unchecked: the lock guards the generation and the last failure.
/// Reports the numbers of live objects to the journal, the service manager and rxwatchctl.
final class ResourceReporter: @unchecked Sendable {
    let scheduler: SerialDispatchQueueScheduler
    let config: String
    let recorder: Recorder
    let started = ContinuousClock.now
    private let leakChecks: LeakChecks
    private let lock = Lock()
    let leaks = Locked(LeakWatch())
    /// The numbers of dropped events of pipelines at the last report, by account.
    private let reportedDrops = Locked<[ObjectIdentifier: (account: Resources.Account, count: Int)]>([:])
    /// The generation that is reported. Guarded by the lock.
    private var shown: Generation?
    /// The last reload, if it has failed: when, and why. Guarded by the lock.
    private var failure: (time: RxTime, message: String)?

    /// What to do about objects that should not be alive.
    private static let reportLeak = "This leak is a bug: report it with the records that have RX_KIND=resources"

    /// - Parameter config: the path of the configuration. It is shown to users in other working directories.
    init(config: String, _ recorder: Recorder) {
        let isPath = config != ConfigDirectories.standardPath
        self.config = isPath ? URL(fileURLWithPath: config).standardizedFileURL.path : config
        self.recorder = recorder
        scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.resources")
        leakChecks = LeakChecks(on: scheduler) { account in
            recorder.recordLeak(account, "objects of it are alive after it was replaced. \(Self.reportLeak)")
        }
    }

    /// The running generation.
    var running: Generation? { lock.locked { shown } }

    /// Returns where the status page is; `nil` if none is wanted.
    let pageStatus = Locked<@Sendable () -> String?>({ nil })

    /// The last reload, if it has failed: when, and why.
    var reloadFailure: (time: RxTime, message: String)? { lock.locked { failure } }

    /// Notes the outcome of a reload.
    ///
    /// - Parameter failure: why it has failed; `nil` if it has not.
    func reloaded(failure message: String?) {
        let failure = message.map { (time: RxTime(), message: $0) }
        lock.locked { self.failure = failure }
    }

    /// Reports this generation from now on.
    func show(_ generation: Generation) {
        let before = lock.locked {
            defer { shown = generation }
            return shown
        }
        withExtendedLifetime(before) {}
    }

    /// Reports from now on that nothing runs, and cancels all leak checks.
    func forget() {
        let before = lock.locked { shown.take() }
        leakChecks.dispose()
        withExtendedLifetime(before) {}
    }

    /// The leaks that are known: of pipelines that run, and of nodes that were replaced.
    var knownLeaks: [Leak] {
        leaks.withLock(\.leaking).map { account, maximum in
            Leak(name: account.name, live: account.count(of: .subscription), maximum: maximum)
        } + leakChecks.leaking.map { Leak(name: $0.name, live: $0.total, maximum: nil) }
    }

    /// See ``LeakChecks/expectNothing(of:after:unless:)``.
    func expectNothing(
        of accounts: [Resources.Account], after drain: Duration, unless isBusy: @escaping @Sendable () -> Bool
    ) {
        leakChecks.expectNothing(of: accounts, after: drain, unless: isBusy)
    }

    /// Writes one record for the daemon, one for each pipeline, and one for each source.
    ///
    /// The record of a pipeline that leaks, or whose sinks have dropped events since the last report, is a warning.
    func report(_ generation: Generation) {
        recorder.outbox.write(whole(generation))
        guard Resources.isTraced else { return notifyStatus() }
        let expectations = generation.graph.expectedSubscriptions.filter { !$0.varies }
        let leaking = leaks.withLock { $0.sample(expectations) }
        let flows = generation.graph.flows
        let drops = generation.graph.accounts.map { account in
            (ObjectIdentifier(account), (account: account, count: flows[account.name]?.dropped ?? 0))
        }
        let before = reportedDrops.withLock { reported in
            defer { reported = Dictionary(drops) { $1 } }
            return reported
        }
        for (identity, (account, dropped)) in drops {
            // The count of a sink that was replaced begins at 0.
            let reported = before[identity]?.count ?? 0
            let more = dropped >= reported ? dropped - reported : dropped
            let isWrong = more > 0 || leaking.contains { $0.account === account }
            let note = more > 0 ? ", \(counted(more, "event")) dropped since the last report" : ""
            recorder.outbox.write(
                part(.pipeline, account, generation, flows[account.name], isWrong ? .warning : .debug, note))
        }
        let unsettled = generation.graph.unsettledCounts
        for account in generation.graph.sourceAccounts {
            recorder.outbox.write(part(.source, account, generation, unsettled: unsettled[account.name]))
        }
        notifyStatus()
        for (account, maximum) in leaking {
            recorder.recordLeak(account, "there should be \(maximum) subscriptions at most. \(Self.reportLeak)")
        }
    }

    private func whole(_ generation: Generation) -> Record {
        let process = ProcessStatistics.current()
        let flow = flow(generation)
        let total = Resources.isTraced ? String(Resources.total) : nil
        let live = total.map { "\($0) live objects, " } ?? ""
        return Record(
            .resources, generation: generation.number,
            "\(live)\(process.residentKiB) KiB resident, \(process.descriptors) descriptors",
            [
                .total: total,
                .observables: count(.observable), .subscriptions: count(.subscription),
                .disposables: count(.disposable), .subjects: count(.subject), .timers: count(.timer),
                .watches: String(process.watches),
                .queued: String(flow.queued), .unsettled: String(generation.graph.unsettledCount),
                .dropped: String(flow.dropped), .spooled: String(flow.spooled),
                .residentKiB: String(process.residentKiB),
                .descriptors: String(process.descriptors),
            ])
    }

    private func count(_ kind: Resources.Kind) -> String? {
        Resources.isTraced ? String(Resources.count(of: kind)) : nil
    }

    private func part(
        _ field: RecordField, _ account: Resources.Account, _ generation: Generation, _ flow: Graph.Flow? = nil,
        _ priority: Priority = .debug, _ note: String = "", unsettled: Int? = nil
    ) -> Record {
        func count(_ kind: Resources.Kind) -> String { String(account.count(of: kind)) }
        return Record(
            .resources, priority, generation: generation.number,
            "\(account.total) live objects in \(account.name)\(note)",
            [
                field: account.name, .total: String(account.total),
                .observables: count(.observable), .subscriptions: count(.subscription),
                .disposables: count(.disposable), .subjects: count(.subject), .timers: count(.timer),
                .queued: flow.map { String($0.queued) }, .unsettled: unsettled.map { String($0) },
                .dropped: flow.map { String($0.dropped) }, .spooled: flow.map { String($0.spooled) },
            ])
    }
}
