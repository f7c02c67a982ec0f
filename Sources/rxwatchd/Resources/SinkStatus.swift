import FoundationEssentials
import RxControl
import RxDiagnostics
import RxJSON
import RxPipelines

/// What `rxwatchctl status` says about a sink.
struct SinkStatus {
    let sink: SinkState
    /// The status of its pipeline, which has the times of the request.
    private let pipeline: NodeStatus

    /// The status of each sink of a graph.
    ///
    /// - Parameter nodes: the status of each source and pipeline of the graph.
    static func all(_ graph: Graph, _ nodes: [NodeStatus]) -> [SinkStatus] {
        let pipelines = Dictionary(nodes.map { ($0.node.name, $0) }) { first, _ in first }
        return graph.sinkStates.compactMap { sink in
            pipelines[sink.pipeline].map { SinkStatus(sink: sink, pipeline: $0) }
        }
    }

    /// The state in a word.
    private var state: String {
        if sink.isHeld { return "held" }
        if let failure = sink.failure, failure.isOpen { return failure.isRetried ? "retrying" : "failing" }
        return sink.flow.queued + sink.flow.spooled > 0 ? "working" : "idle"
    }

    private var numbers: [String] {
        var numbers = ["\(sink.flow.queued) queued\(Self.size(sink.queuedBytes))"]
        if sink.flow.spooled > 0 { numbers.append("\(sink.flow.spooled) spooled\(Self.size(sink.spooledBytes))") }
        numbers.append("\(sink.flow.dropped) dropped")
        if sink.activity.retries > 0 {
            numbers.append(counted(sink.activity.retries, "retry", "retries"))
        }
        return numbers
    }

    private static func size(_ bytes: Int) -> String {
        bytes == 0 ? "" : bytes < 1024 ? " (\(bytes) B)" : " (\(memoryText(bytes)))"
    }

    private func age(of event: SourceEvent) -> String {
        pipeline.ago(Date(timeIntervalSince1970: event.time))
    }

    /// A line for the list of all sinks.
    var line: String {
        let last = sink.activity.last.map { ["the last \(pipeline.ago($0.time)) (\($0.event.cause))"] } ?? []
        let oldest = sink.oldest.map { ["the oldest \(age(of: $0))"] } ?? []
        let facts = [state, "\(sink.activity.delivered) delivered"] + last + numbers + oldest
        return "sink \(sink.key): \(facts.joined(separator: ", "))"
    }

    /// The line for a terminal with this number of columns, with the most important facts.
    ///
    /// Credentials are hidden before anything is cut: the beginning of one would not be recognized.
    func line(columns: Int, hiding secrets: HiddenSecrets) -> String {
        var row = StatusRow("  sink", sink.key, state)
        row.add("\(sink.activity.delivered) delivered", .next)
        if let last = sink.activity.last {
            let cause = secrets.hidden(in: last.event.cause)
            row.add("the last \(pipeline.ago(last.time))", .lastEvent, cause: cause)
        }
        for number in numbers { row.add(number, number.hasPrefix("0 ") ? .nothing : .waiting) }
        row.add(sink.oldest.map { "the oldest \(age(of: $0))" }, .waiting)
        return row.text(columns: columns)
    }

    /// The status of the sink alone.
    var description: String {
        let wait = sink.isHeld ? ": its events wait until the sink that it replaces has ended" : ""
        let last = sink.activity.last.map {
            ["the last \(pipeline.ago($0.time)) (\($0.event.cause), id \($0.event.id))"]
        }
        var lines = [
            "sink \(sink.key): \(state)\(wait)", "takes events from \(sink.pipeline)",
            (["\(counted(sink.activity.delivered, "event")) delivered"] + (last ?? [])).joined(separator: ", "),
            numbers.joined(separator: ", "),
        ]
        if let oldest = sink.oldest {
            lines.append("oldest waiting event \(age(of: oldest)) (\(oldest.cause), id \(oldest.id))")
        }
        if let failure = sink.failure { lines.append(pipeline.lastFailureLine(failure)) }
        return lines.joined(separator: "\n  ")
    }

    /// The status for programs.
    var details: JSON {
        var details: JSON = [
            "name": .string(sink.key), "kind": "sink", "pipeline": .string(sink.pipeline), "sink": .string(sink.name),
            "state": .string(state), "delivered": .number(Double(sink.activity.delivered)),
        ]
        details["retries"] = .number(Double(sink.activity.retries))
        details["queued"] = .number(Double(sink.flow.queued))
        details["queuedBytes"] = .number(Double(sink.queuedBytes))
        details["spooled"] = .number(Double(sink.flow.spooled))
        details["spooledBytes"] = .number(Double(sink.spooledBytes))
        details["dropped"] = .number(Double(sink.flow.dropped))
        if let last = sink.activity.last { details["last"] = last.event.json(at: last.time.timeIntervalSince1970) }
        if let oldest = sink.oldest { details["oldest"] = oldest.json(at: oldest.time) }
        if let failure = sink.failure { details["failures"] = [failure.json] }
        return details
    }
}
