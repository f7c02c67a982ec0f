import FoundationEssentials
import RxDiagnostics
import RxEngine
import RxJSON
import RxPipelines

/// What `rxwatchctl status` says about a source or a pipeline.
struct NodeStatus {
    let node: GraphPicture.Node
    private let activity: NodeActivity.Summary
    private let now = RxTime()

    init(_ node: GraphPicture.Node) {
        self.node = node
        activity = node.activity?.summary ?? NodeActivity.Summary()
    }

    /// The state in a word.
    private var state: String {
        switch activity.phase {
        case .completed: "completed"
        case .idle: "not running"
        case .running: node.isArmed == false ? "not armed" : node.isArmed == true ? "armed" : "running"
        }
    }

    /// A line for the list of all nodes, and one for the last failure.
    var lines: [String] {
        let facts = [state] + [lastEvent, rate, next].compactMap(\.self) + numbers
        let failure = activity.failure.map { "  failed \(ago($0.time)): \($0.message)" }
        return ["\(node.kind.rawValue) \(node.name): \(facts.joined(separator: ", "))"] + [failure].compactMap(\.self)
    }

    /// The status of the node alone.
    func description(withSinks sinks: [String]) -> String {
        let head = ([state] + [next].compactMap(\.self)).joined(separator: ", ")
        var lines = ["\(node.kind.rawValue) \(node.name): \(head)"]
        if !node.inputs.isEmpty { lines.append("takes events from \(node.inputs.joined(separator: ", "))") }
        lines.append(
            ([counted(activity.count, "event")] + [lastEvent, rate].compactMap(\.self)).joined(separator: ", "))
        if let value = node.activity?.lastValue { lines.append("last value: \(value)") }
        if !sinks.isEmpty { lines.append("sinks: \(sinks.joined(separator: ", "))") }
        if !numbers.isEmpty { lines.append(numbers.joined(separator: ", ")) }
        if let failure = activity.failure { lines.append("last failure \(ago(failure.time)): \(failure.message)") }
        return lines.joined(separator: "\n  ")
    }

    private var lastEvent: String? {
        activity.last.map { "last event \(ago($0.time)) (\($0.event.cause))" }
    }

    private var rate: String? {
        guard activity.count > 0 else { return nil }
        let tenths = (activity.perMinute * 10).rounded() / 10
        return "\(JSON.number(tenths)) a minute"
    }

    private var next: String? {
        activity.next.flatMap { $0 > now ? "next in \(Self.text(of: $0.timeIntervalSince(now)))" : nil }
    }

    private var numbers: [String] {
        var numbers = node.eventCounts
        if Resources.isTraced, let account = node.account { numbers.append("\(account.total) live resources") }
        return numbers
    }

    private func ago(_ time: RxTime) -> String {
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
        details["state"] = .string(state)
        details["events"] = .number(Double(activity.count))
        details["perMinute"] = .number(activity.perMinute)
        if let last = activity.last {
            details["last"] = [
                "time": .number(last.time.timeIntervalSince1970), "cause": .string(last.event.cause),
                "id": .string(last.event.id),
            ]
        }
        if hasValue, let value = node.activity?.lastValue { details["last"]?["value"] = value }
        if let next = activity.next { details["next"] = .number(next.timeIntervalSince1970) }
        if let failure = activity.failure {
            details["failure"] = [
                "time": .number(failure.time.timeIntervalSince1970), "message": .string(failure.message),
            ]
        }
        node.addEventCounts(to: &details)
        return details
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
