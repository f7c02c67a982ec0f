import RxControl
import RxDiagnostics
import RxEngine
import RxJSON
import RxPipelines

// The graph that `rxwatchctl graph` shows.
extension ResourceReporter {
    /// The answer to `rxwatchctl graph`: text, and in the details the nodes, the texts for Graphviz and Mermaid and, if
    /// they are recorded, the live subscriptions, with the text for Graphviz, too.
    func graph() -> ControlAnswer {
        guard let generation = running else { return .nothingRuns }
        let picture = generation.graph.picture
        var details: JSON = [
            "nodes": .array(picture.nodes.map(\.json)), "dot": .string(picture.dot),
            "mermaid": .string(picture.mermaid),
        ]
        var lines = picture.tree
        if Resources.recording != .off {
            let live = Resources.graph()
            details["subscriptions"] = (try? JSON(parsing: Array(live.json.utf8))) ?? .null
            details["subscriptionsDot"] = .string(live.dot)
            lines += ["live subscriptions:"] + live.text().split(separator: "\n").map { "  \($0)" }
        }
        return ControlAnswer(lines.joined(separator: "\n"), details: details)
    }
}

extension ControlAnswer {
    /// The answer while no generation runs.
    static var nothingRuns: ControlAnswer {
        ControlAnswer("nothing is running: the daemon is starting or stopping", exitCode: ExitCode.failure)
    }

    /// The answer for a name that none of these sources and pipelines has.
    static func noNode(_ name: String, among nodes: [GraphPicture.Node]) -> ControlAnswer {
        noNode(name, among: nodes.map(\.name), called: "source or pipeline")
    }

    /// The answer for a name that is not among these.
    ///
    /// - Parameter kinds: what the names are those of.
    static func noNode(_ name: String, among names: [String], called kinds: String) -> ControlAnswer {
        ControlAnswer(
            "there is no \(kinds) '\(name.shortened)'\(NearestName.hint(for: name, in: names))",
            exitCode: ExitCode.failure)
    }
}

extension GraphPicture {
    /// What is known of a node: that it fails or does not run, and its numbers, each with its unit.
    ///
    /// - Parameter failing: see ``failing``.
    func facts(of node: Node, failing: Set<String>) -> [String] {
        if failing.contains(id(of: node)) { return ["failing"] + node.facts }
        switch node.activity?.summary.phase {
        case .idle: return ["not running"] + node.facts
        case .completed: return ["completed"] + node.facts
        case .running, nil: return node.facts
        }
    }

    /// A name that is unique in the whole graph: the name of a sink is unique in its pipeline only.
    func id(of node: Node) -> String {
        node.kind == .sink ? "\(node.inputs.first ?? "")/\(node.name)" : node.name
    }

    /// The ids of the nodes that have failed, and have not worked since.
    var failing: Set<String> {
        var failing: Set<String> = []
        for node in nodes {
            for failure in node.activity?.summary.failures ?? [] where failure.isOpen {
                failing.insert(failure.sink.map { "\(node.name)/\($0)" } ?? node.name)
            }
        }
        return failing
    }
}

extension GraphPicture.Node {
    /// The numbers that are known of the node, each with its unit.
    fileprivate var facts: [String] {
        var facts: [String] = []
        if Resources.isTraced, let account {
            let subscriptions = account.count(of: .subscription)
            facts.append(subscriptions == 1 ? "1 subscription" : "\(subscriptions) subscriptions")
            facts.append("\(account.total) live objects")
        }
        if let activity { facts.append(counted(activity.summary.count, "event") + ofReceived) }
        // The counts of a pipeline's sinks are those of the sinks.
        return kind == .pipeline ? facts : facts + eventCounts
    }

    /// The number of events that the node's steps have received, if it has any.
    var ofReceived: String {
        received.map { " from \($0) received" + (replayed > 0 ? " (\(replayed) replayed)" : "") } ?? ""
    }

    /// The numbers of the node's events that are not finished, and of those that were dropped.
    var eventCounts: [String] {
        var counts: [String] = []
        if let unsettled { counts.append("\(unsettled) unsettled") }
        if let flow {
            counts.append("\(flow.queued) queued")
            if flow.spooled > 0 { counts.append("\(flow.spooled) spooled") }
            counts.append("\(flow.dropped) dropped")
        }
        return counts
    }

    /// Adds the number of events that its steps have received, and how many of them were replayed, if any were.
    func addReceived(to json: inout JSON) {
        guard let received else { return }
        json["received"] = .number(Double(received))
        if replayed > 0 { json["replayed"] = .number(Double(replayed)) }
    }

    /// Adds the numbers of its events that are not finished, and of those that were dropped.
    func addEventCounts(to json: inout JSON) {
        if let unsettled { json["unsettled"] = .number(Double(unsettled)) }
        if let flow {
            json["queued"] = .number(Double(flow.queued))
            json["spooled"] = .number(Double(flow.spooled))
            json["dropped"] = .number(Double(flow.dropped))
        }
    }

    fileprivate var json: JSON {
        var json: JSON = ["kind": .string(kind.rawValue), "name": .string(name)]
        json["inputs"] = .array(inputs.map { .string($0) })
        if Resources.isTraced, let account {
            json["subscriptions"] = .number(Double(account.count(of: .subscription)))
            json["resources"] = .number(Double(account.total))
        }
        if let activity { json["events"] = .number(Double(activity.summary.count)) }
        addReceived(to: &json)
        addEventCounts(to: &json)
        return json
    }
}
