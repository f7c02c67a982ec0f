import FoundationEssentials
import Glibc
import RxControl
import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxPipelines

// The status that the service manager and `rxwatchctl status` show.
extension ResourceReporter {
    /// The status of the daemon and all nodes for programs; `nil` if nothing runs.
    ///
    /// - Parameter secrets: the credentials that it must not contain.
    func details(hiding secrets: HiddenSecrets) -> JSON? {
        guard running != nil else { return nil }
        return status(of: nil, hiding: secrets).details
    }

    /// The answer to `rxwatchctl status`.
    ///
    /// - Parameters:
    ///   - node: the name of a source, pipeline or sink; `nil` for the daemon and all nodes.
    ///   - columns: the number of columns in which each line about all nodes must fit; `nil` for any.
    ///   - secrets: the credentials that the answer must not contain.
    func status(of node: String?, columns: Int? = nil, hiding secrets: HiddenSecrets) -> ControlAnswer {
        guard let generation = running else { return .nothingRuns }
        let picture = generation.graph.picture
        let (sinks, known) = (picture.sinks, picture.sourcesAndPipelines)
        let expected = Resources.isTraced ? expectedRanges(generation) : [:]
        if let name = node, let node = known.first(where: { $0.name == name }) {
            let status = NodeStatus(node, sinks, expected)
            let own = SinkStatus.all(generation.graph, [status]).map(\.line)
            let text = ([status.description] + own).joined(separator: "\n  ")
            return secrets.hidden(in: ControlAnswer(text, details: status.details(withValue: true)))
        }
        let nodes = known.map { NodeStatus($0, sinks, expected) }
        let sinkStatuses = SinkStatus.all(generation.graph, nodes)
        return secrets.hidden(
            in: node.map { status(ofSink: $0, sinkStatuses, known) }
                ?? status(generation, nodes, sinkStatuses, columns, hiding: secrets))
    }

    /// The answer about a sink; an error if there is none of this name.
    private func status(ofSink name: String, _ all: [SinkStatus], _ nodes: [GraphPicture.Node]) -> ControlAnswer {
        let (reference, keys) = (SinkReference(name: name), all.map(\.sink.key))
        switch reference.meaning(among: keys) {
        case .sink(let key):
            if let sink = all.first(where: { $0.sink.key == key }) {
                return ControlAnswer(sink.description, details: sink.details)
            }
        case .several(let keys): return reference.ambiguity(keys)
        case .unknown: break
        }
        return .noNode(name, among: nodes.map(\.name) + keys, called: "source, pipeline or sink")
    }

    private func status(
        _ generation: Generation, _ nodes: [NodeStatus], _ sinks: [SinkStatus], _ columns: Int?,
        hiding secrets: HiddenSecrets
    ) -> ControlAnswer {
        let process = ProcessStatistics.current()
        let upTime = Duration.seconds((ContinuousClock.now - started).components.seconds)
        let head =
            "rxwatchd \(version), generation \(generation.number) of \(config), "
            + "up \(SystemdDuration.format(upTime)), \(process.residentKiB) KiB resident"
        let page = pageStatus.withLock(\.self)()
        let failure = reloadFailure.map { failure in
            let ago = Duration.seconds(Int(max(0, RxTime().timeIntervalSince(failure.time))))
            let when = ago == .zero ? "just now" : "\(SystemdDuration.format(ago)) ago"
            return "the last reload has failed \(when), and the configuration before it runs: "
                + failure.message.shownOnTerminal(indentedBy: 2)
        }
        let leaks = knownLeaks
        let failing = nodes.filter(\.isFailing).map(\.node.name)
        let headline = FailureHeadline.text(failing, of: nodes.count, columns: columns ?? FailureHeadline.columns)
        var above = [headline, head, status(generation)] + leaks.map(\.text)
        above += [failure, page.map { "status page: \($0)" }].compactMap(\.self)
        let tags = Resources.isTraced ? Resources.tags.map { "  tag \($0.name): \($0.total) live objects" } : []
        var lines: [String]
        if let columns {
            // Hidden before the text is broken into lines, after which a credential would not be recognized.
            let whole = secrets.hidden(in: above.joined(separator: "\n"))
            lines = whole.split(separator: "\n").flatMap { String($0).wrapped(toColumns: columns) }
            lines += nodes.flatMap { $0.lines(columns: columns, hiding: secrets) }
            lines += sinks.map { $0.line(columns: columns, hiding: secrets) } + tags
            lines = lines.map { $0.cut(toColumns: columns) }
        } else {
            lines = above + nodes.flatMap { $0.lines.map { "  \($0)" } } + sinks.map { "  \($0.line)" } + tags
        }
        return ControlAnswer(
            lines.joined(separator: "\n"), details: details(generation, nodes, sinks, process, upTime, leaks))
    }

    private func details(
        _ generation: Generation, _ nodes: [NodeStatus], _ sinks: [SinkStatus], _ process: ProcessStatistics,
        _ upTime: Duration, _ leaks: [Leak]
    ) -> JSON {
        var details: JSON = ["version": .string(version), "config": .string(config)]
        details["generation"] = .number(Double(generation.number))
        details["up"] = .number(Double(upTime.components.seconds))
        details["host"] = .string(Self.host)
        details["pid"] = .number(Double(getpid()))
        details["resources"] = .object(Resources.counts { Resources.count(of: $0) })
        if Resources.isTraced { details["leaks"] = .array(leaks.map(\.json)) }
        if let failure = reloadFailure {
            details["reloadFailure"] = [
                "time": .number(failure.time.timeIntervalSince1970), "message": .string(failure.message),
            ]
        }
        if let page = pageStatus.withLock(\.self)() { details["page"] = .string(page) }
        let flow = flow(generation)
        details["queued"] = .number(Double(flow.queued))
        details["unsettled"] = .number(Double(generation.graph.unsettledCount))
        details["dropped"] = .number(Double(flow.dropped))
        details["spooled"] = .number(Double(flow.spooled))
        details["rssKiB"] = .number(Double(process.residentKiB))
        details["fds"] = .number(Double(process.descriptors))
        details["watches"] = .number(Double(process.watches))
        for (key, kind) in [("pipelines", GraphPicture.Node.Kind.pipeline), ("sources", .source)] {
            let members = nodes.filter { $0.node.kind == kind }.map { ($0.node.name, $0.details()) }
            details[key] = .object(members.reduce(into: JSON.Object()) { $0[$1.0] = $1.1 })
        }
        details["sinks"] = .object(sinks.reduce(into: JSON.Object()) { $0[$1.sink.key] = $1.details })
        details["tags"] = .object(
            Resources.tags.reduce(into: JSON.Object()) { members, account in
                members[account.name] = .object(Resources.counts { account.count(of: $0) })
            })
        return details
    }

    /// The name of this host; empty if it has none.
    private static var host: String {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&name, name.count) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
        let live = Resources.isTraced ? ", \(Resources.total) live objects" : ""
        return "\(generation.graph.runningSummary)\(live), \(flow(generation).dropped) dropped"
    }

    /// The numbers of queued, spooled and dropped events and records.
    func flow(_ generation: Generation) -> Graph.Flow {
        generation.graph.flow + Graph.Flow(queued: recorder.outbox.queued, dropped: recorder.outbox.dropped)
    }
}
