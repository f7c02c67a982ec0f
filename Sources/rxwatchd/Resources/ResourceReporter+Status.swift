import Glibc
import RxControl
import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxPipelines

// The status that the service manager and `rxwatchctl status` show.
extension ResourceReporter {
    /// The answer to `rxwatchctl status`.
    func answer() -> ControlAnswer {
        guard let generation = running else {
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

    /// Notifies the service manager that the daemon is ready, with its status line.
    func notifyReady() {
        try? ServiceManager.notify(.ready, .status(statusLine ?? ""))
    }

    /// Updates the status line of the service manager.
    func notifyStatus() {
        if let statusLine { try? ServiceManager.notify(.status(statusLine)) }
    }

    private var statusLine: String? { running.map { status($0) } }

    /// The state of the daemon in one line.
    private func status(_ generation: Generation) -> String {
        let live = Resources.isTraced ? ", \(Resources.total) live resources" : ""
        return "\(generation.plan.summary) running\(live), \(flow(generation).dropped) dropped"
    }

    /// The numbers of queued, spooled and dropped events and records.
    func flow(_ generation: Generation) -> Graph.Flow {
        generation.graph.flow + Graph.Flow(queued: recorder.outbox.queued, dropped: recorder.outbox.dropped)
    }
}
