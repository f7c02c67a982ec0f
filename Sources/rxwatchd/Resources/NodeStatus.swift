import FoundationEssentials
import RxControl
import RxDiagnostics
import RxEngine
import RxJSON
import RxPipelines

/// What `rxwatchctl status` says about a source or a pipeline.
struct NodeStatus {
    let node: GraphPicture.Node
    /// The names of the pipeline's sinks.
    private let sinks: [String]
    let activity: NodeActivity.Summary
    /// From how many to how many subscriptions a pipeline is expected to have; `nil` if the number varies.
    private let expected: ClosedRange<Int>?
    private let now = RxTime()

    /// - Parameters:
    ///   - node: the source or the pipeline.
    ///   - sinks: the names of the sinks of each pipeline.
    ///   - expected: from how many to how many subscriptions each pipeline is expected to have.
    init(_ node: GraphPicture.Node, _ sinks: [String: [String]], _ expected: [String: ClosedRange<Int>] = [:]) {
        self.node = node
        self.expected = node.kind == .pipeline ? expected[node.name] : nil
        self.sinks = node.kind == .pipeline ? sinks[node.name] ?? [] : []
        activity = node.activity?.summary ?? NodeActivity.Summary()
    }

    /// The last failure of the node and of each of its sinks that runs, the latest last.
    var failures: [NodeActivity.Failure] {
        activity.failures.filter { failure in failure.sink.map(sinks.contains) ?? true }
    }

    /// Whether the node or one of its sinks has failed, and has not worked since. A pipeline works again when it emits.
    var isFailing: Bool {
        failures.contains(where: \.isOpen)
    }

    /// The state in a word.
    var state: String {
        switch activity.phase {
        case .completed: "completed"
        case .idle: "not running"
        case .running: node.isArmed == false ? "not armed" : node.isArmed == true ? "armed" : "running"
        }
    }

    /// A line for the list of all nodes, and one for each failure.
    var lines: [String] {
        let facts = [state] + [lastEvent ?? noneOfReceived, rate, next].compactMap(\.self) + numbers
        return ["\(node.kind.rawValue) \(node.name): \(facts.joined(separator: ", "))"]
            + failures.map { "  \(line(of: $0))" }
    }

    /// The status of the node alone, without those of its sinks.
    var description: String {
        let head = ([state] + [next].compactMap(\.self)).joined(separator: ", ")
        var lines = ["\(node.kind.rawValue) \(node.name): \(head)"]
        if !node.inputs.isEmpty { lines.append("takes events from \(node.inputs.joined(separator: ", "))") }
        let last = activity.last.map { "last event \(ago($0.time)) (\($0.event.cause), id \($0.event.id))" }
        let events = [counted(activity.count, "event") + node.ofReceived, last, rate]
        lines.append(events.compactMap(\.self).joined(separator: ", "))
        if noneOfReceived != nil {
            lines.append(
                "its steps have emitted none of them: 'rxwatchctl try \(node.name)' shows which step drops an event")
        }
        if let value = node.activity?.lastValue { lines.append("last value: \(value)") }
        if !numbers.isEmpty { lines.append(numbers.joined(separator: ", ")) }
        if let expected, Resources.isTraced, let count = node.account?.count(of: .subscription) {
            let mark = count > expected.upperBound ? "  ABOVE" : ""
            lines.append(
                "\(counted(count, "subscription")), \(expected.lowerBound)..\(expected.upperBound) expected\(mark)")
        }
        lines += failures.map(lastFailureLine)
        return lines.joined(separator: "\n  ")
    }

    /// The number of events that a pipeline has received, if it has emitted none of them.
    var noneOfReceived: String? {
        activity.count == 0 && node.received ?? 0 > 0 ? "no event\(node.ofReceived)" : nil
    }

    private var lastEvent: String? {
        activity.last.map { "last event \(ago($0.time)) (\($0.event.cause))" }
    }

    /// A failure in the list of all nodes.
    func line(of failure: NodeActivity.Failure) -> String {
        "\(attempt(after: failure))\(failure.sink.map { "\($0) failed" } ?? "failed") \(text(of: failure))"
    }

    /// A failure in the status of one node or sink.
    func lastFailureLine(_ failure: NodeActivity.Failure) -> String {
        "\(attempt(after: failure))last failure\(failure.sink.map { " of \($0)" } ?? "") \(text(of: failure))"
    }

    /// When and how it failed, without the names of the node and the sink, which are before it.
    private func text(of failure: NodeActivity.Failure) -> String {
        let detail = TapLine.detail(of: failure.message, at: node.name, failure.sink).dropFirst(2)
        // Further lines of a message must not look like those of the status.
        let message = String(detail).shownOnTerminal(indentedBy: 6)
        let since = failure.recovered.map { ", recovered \(ago($0))" } ?? ""
        let count = failure.count > 1 ? ", \(failure.count) failures" : ""
        let cause = failure.event.flatMap { event in
            TapLine.names(event.cause, in: failure.message) ? nil : " (\(event.cause))"
        }
        return "\(ago(failure.time))\(cause ?? "")\(count)\(since): \(message)"
    }

    /// When the sink tries again, if it does.
    func attempt(after failure: NodeActivity.Failure) -> String {
        guard failure.isRetried, failure.isOpen else { return "" }
        return "tries again\(wait(until: failure.next).map { " in \($0)" } ?? ""), "
    }

    var rate: String? {
        guard activity.count > 0 else { return nil }
        let tenths = (activity.perMinute * 10).rounded() / 10
        return "\(JSON.number(tenths)) a minute"
    }

    var next: String? {
        activity.phase == .running ? wait(until: activity.next).map { "next in \($0)" } : nil
    }

    /// The time until then; `nil` if that is over.
    private func wait(until time: RxTime?) -> String? {
        time.flatMap { $0 > now ? Self.text(of: $0.timeIntervalSince(now)) : nil }
    }

    private var numbers: [String] {
        node.eventCounts + [liveObjects].compactMap(\.self)
    }

    /// The number of live objects, if they are counted.
    var liveObjects: String? {
        Resources.isTraced ? node.account.map { "\($0.total) live objects" } : nil
    }

    func ago(_ time: RxTime) -> String {
        let seconds = now.timeIntervalSince(time)
        return seconds < 0.05 ? "just now" : "\(Self.text(of: seconds)) ago"
    }

    /// A span of time with the precision that a person needs.
    private static func text(of seconds: TimeInterval) -> String {
        let unit: Duration = seconds < 10 ? .milliseconds(100) : .seconds(1)
        let count = (Duration.seconds(min(max(seconds, 0), 1e9)) / unit).rounded()
        return SystemdDuration.format(unit * Int(count))
    }

    /// The status for programs.
    ///
    /// - Parameter hasValue: whether it includes the value of the last event.
    func details(withValue hasValue: Bool = false) -> JSON {
        var details = node.account.map { account in JSON.object(Resources.counts { account.count(of: $0) }) } ?? [:]
        details["name"] = .string(node.name)
        details["kind"] = .string(node.kind.rawValue)
        details["inputs"] = .array(node.inputs.map(JSON.string))
        if node.kind == .pipeline { details["sinks"] = .array(sinks.map(JSON.string)) }
        details["state"] = .string(state)
        details["failing"] = .bool(isFailing)
        if let expected {
            details["expectedSubscriptions"] = [
                .number(Double(expected.lowerBound)), .number(Double(expected.upperBound)),
            ]
        }
        details["events"] = .number(Double(activity.count))
        node.addReceived(to: &details)
        details["perMinute"] = .number(activity.perMinute)
        if let last = activity.last { details["last"] = last.event.json(at: last.time.timeIntervalSince1970) }
        if hasValue, let value = node.activity?.lastValue { details["last"]?["value"] = value }
        if let next = activity.next, activity.phase == .running {
            details["next"] = .number(next.timeIntervalSince1970)
        }
        let failures = failures.map(\.json)
        if !failures.isEmpty { details["failures"] = .array(failures) }
        node.addEventCounts(to: &details)
        return details
    }
}

extension SourceEvent {
    /// The event for programs, with the time at which something was done with it.
    func json(at time: Double) -> JSON {
        ["time": .number(time), "cause": .string(cause), "id": .string(id)]
    }
}

extension NodeActivity.Failure {
    /// The failure for programs.
    var json: JSON {
        var json: JSON = [
            "time": .number(time.timeIntervalSince1970), "message": .string(message), "count": .number(Double(count)),
        ]
        if let sink { json["sink"] = .string(sink) }
        if isRetried { json["retried"] = true }
        if let next { json["next"] = .number(next.timeIntervalSince1970) }
        if let recovered { json["recovered"] = .number(recovered.timeIntervalSince1970) }
        if let event { (json["cause"], json["id"]) = (.string(event.cause), .string(event.id)) }
        return json
    }
}

extension Resources {
    /// The numbers of objects of each kind, and their total, as members of a JSON object.
    static func counts(_ count: (Resources.Kind) -> Int) -> JSON.Object {
        let kinds: [(String, Resources.Kind)] = [
            ("observables", .observable), ("subscriptions", .subscription), ("disposables", .disposable),
            ("subjects", .subject), ("timers", .timer),
        ]
        var object = JSON.Object()
        object["total"] = .number(Double(Resources.Kind.allCases.reduce(0) { $0 + count($1) }))
        for (name, kind) in kinds { object[name] = .number(Double(count(kind))) }
        return object
    }
}
