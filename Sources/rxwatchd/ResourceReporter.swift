import Glibc
import RxControl
import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxPipelines

// Unchecked: the generation is behind the lock, and the watch belongs to the scheduler.
/// Reports to the journal, the service manager and rxwatchctl how much is alive.
final class ResourceReporter: @unchecked Sendable {
    let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.resources")
    private let config: String
    private let records: RecordOutbox
    private let started = ContinuousClock.now
    private let lock = Lock()
    /// Used on the scheduler alone.
    private var leaks = LeakWatch()
    /// What is still to be looked at after reloads, by the number of the reload.
    private var leakChecks: [Int: SingleAssignmentDisposable] = [:]
    /// The generation that runs, for ``answer()``.
    private var running: Generation?

    init(config: String, records: RecordOutbox) {
        self.config = config
        self.records = records
    }

    /// Reports this generation from now on.
    func show(_ generation: Generation) {
        let before = lock.locked {
            defer { running = generation }
            return running
        }
        withExtendedLifetime(before) {}
    }

    /// Reports from now on that nothing runs.
    func forget() {
        let (before, checks) = lock.locked {
            defer { leakChecks = [:] }
            return (running.take(), leakChecks)
        }
        for check in checks.values { check.dispose() }
        withExtendedLifetime(before) {}
    }

    /// The answer to `rxwatchctl status`.
    func answer() -> ControlAnswer {
        guard let generation = lock.locked({ running }) else {
            return ControlAnswer(
                "nothing is running: the daemon is starting or stopping", exitCode: ExitCode.failure)
        }
        let process = ProcessStatistics.current()
        let upTime = Duration.seconds((ContinuousClock.now - started).components.seconds)
        let graph = generation.graph
        let head =
            "rxwatchd \(version), generation \(generation.number) of \(config), "
            + "up \(SystemdDuration.format(upTime)), \(process.residentKiB) KiB resident"
        var lines = [head, status(generation)]
        if Resources.isTraced {
            lines += graph.accounts.map { "  pipeline \($0.name): \($0.total) live resources" }
            lines += graph.sourceAccounts.map { "  source \($0.name): \($0.total) live resources" }
            lines += Resources.tags.map { "  tag \($0.name): \($0.total) live resources" }
        }
        return ControlAnswer(lines.joined(separator: "\n"), details: details(generation, process, upTime))
    }

    private func details(_ generation: Generation, _ process: ProcessStatistics, _ upTime: Duration) -> JSON {
        var details: JSON = ["version": .string(version), "config": .string(config)]
        details["generation"] = .number(Double(generation.number))
        details["up"] = .number(Double(upTime.components.seconds))
        details["pid"] = .number(Double(getpid()))
        details["resources"] = .object(counts { Resources.count(of: $0) })
        let flow = flow(generation)
        details["queued"] = .number(Double(flow.queued))
        details["unsettled"] = .number(Double(generation.graph.unsettledCount))
        details["dropped"] = .number(Double(flow.dropped))
        details["spooled"] = .number(Double(flow.spooled))
        details["rssKiB"] = .number(Double(process.residentKiB))
        details["fds"] = .number(Double(process.descriptors))
        details["watches"] = .number(Double(process.watches))
        details["pipelines"] = members(generation.graph.accounts)
        details["sources"] = members(generation.graph.sourceAccounts)
        details["tags"] = members(Resources.tags)
        return details
    }

    private func members(_ accounts: [Resources.Account]) -> JSON {
        .object(
            accounts.reduce(into: JSON.Object()) { members, account in
                members[account.name] = .object(counts { account.count(of: $0) })
            })
    }

    private func counts(_ count: (Resources.Kind) -> Int) -> JSON.Object {
        let kinds: [(String, Resources.Kind)] = [
            ("observables", .observable), ("subscriptions", .subscription), ("disposables", .disposable),
            ("subjects", .subject), ("timers", .timer),
        ]
        var object = JSON.Object()
        object["total"] = .number(Double(Resources.Kind.allCases.reduce(0) { $0 + count($1) }))
        for (name, kind) in kinds { object[name] = .number(Double(count(kind))) }
        return object
    }

    /// One record for the whole, one for each pipeline, and one for each source.
    func report(_ generation: Generation) {
        records.write(whole(generation))
        guard Resources.isTraced else { return notifyStatus() }
        let flows = generation.graph.flows
        for account in generation.graph.accounts {
            records.write(part(.pipeline, account, generation, flows[account.name]))
        }
        let unsettled = generation.graph.unsettledCounts
        for account in generation.graph.sourceAccounts {
            records.write(part(.source, account, generation, unsettled: unsettled[account.name]))
        }
        notifyStatus()
        // A sink may be about some events more than at first, and a subscription or two for each.
        let expectations = generation.graph.steady.map {
            LeakWatch.Expectation(account: $0.account, slack: 8 * $0.sinks)
        }
        for (account, most) in leaks.look(expectations) {
            recordLeak(account, "there should be \(most) subscriptions at most: something leaks")
        }
    }

    /// Looks, when sinks have had the time that they may take, whether these have come to nothing: what they counted has
    /// been replaced.
    ///
    /// - Parameter isBusy: whether they have more time, since another reload has followed.
    func expectNothing(
        of accounts: [Resources.Account], after drain: Duration, unless isBusy: @escaping @Sendable () -> Bool
    ) {
        guard Resources.isTraced, !accounts.isEmpty else { return }
        let check = SingleAssignmentDisposable()
        let number = lock.locked {
            let number = running?.number ?? 0
            leakChecks[number] = check
            return number
        }
        check.setDisposable(
            scheduler.scheduleRelative((), dueTime: (drain + .seconds(1)).interval) {
                if isBusy() {
                    self.expectNothing(of: accounts, after: drain, unless: isBusy)
                    return Disposables.create()
                }
                for account in accounts where account.total > 0 {
                    self.recordLeak(account, "it was replaced, and nothing of it should be left: something leaked")
                }
                let done = self.lock.locked { self.leakChecks.removeValue(forKey: number) }
                withExtendedLifetime(done) {}
                return Disposables.create()
            })
    }

    private func recordLeak(_ account: Resources.Account, _ problem: String) {
        let number = lock.locked { running?.number } ?? 0
        records.write(
            Record(
                .error, .err, generation: number,
                "\(account.name) has \(account.total) live resources, \(account.count(of: .subscription)) of them "
                    + "subscriptions; \(problem)",
                [
                    .pipeline: account.name, .total: String(account.total),
                    .observables: String(account.count(of: .observable)),
                    .subscriptions: String(account.count(of: .subscription)),
                    .disposables: String(account.count(of: .disposable)),
                    .subjects: String(account.count(of: .subject)), .timers: String(account.count(of: .timer)),
                ]))
    }

    /// Notifies the service manager that the daemon is ready, with its status line.
    func notifyReady() {
        try? ServiceManager.tell(.ready, .status(statusLine ?? ""))
    }

    private func notifyStatus() {
        if let statusLine { try? ServiceManager.tell(.status(statusLine)) }
    }

    private var statusLine: String? { lock.locked({ running }).map { status($0) } }

    /// The state of things in a line.
    private func status(_ generation: Generation) -> String {
        let live = Resources.isTraced ? ", \(Resources.total) live resources" : ""
        return "\(generation.plan.summary) running\(live), \(flow(generation).dropped) dropped"
    }

    /// What waits to be written or done, and what was not for lack of room.
    private func flow(_ generation: Generation) -> Graph.Flow {
        generation.graph.flow + Graph.Flow(queued: records.queued, dropped: records.dropped)
    }

    private func whole(_ generation: Generation) -> Record {
        let process = ProcessStatistics.current()
        let flow = flow(generation)
        let total = Resources.isTraced ? String(Resources.total) : nil
        let live = total.map { "\($0) live resources, " } ?? ""
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
        unsettled: Int? = nil
    ) -> Record {
        func count(_ kind: Resources.Kind) -> String { String(account.count(of: kind)) }
        return Record(
            .resources, generation: generation.number, "\(account.total) live resources in \(account.name)",
            [
                field: account.name, .total: String(account.total),
                .observables: count(.observable), .subscriptions: count(.subscription),
                .disposables: count(.disposable), .subjects: count(.subject), .timers: count(.timer),
                .queued: flow.map { String($0.queued) }, .unsettled: unsettled.map { String($0) },
                .dropped: flow.map { String($0.dropped) }, .spooled: flow.map { String($0.spooled) },
            ])
    }
}
