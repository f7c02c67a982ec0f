import RxJSON
import RxPipelines

/// The numbers of the daemon for Prometheus, in its own text format or as OpenMetrics.
struct Metrics {
    /// A number that a metric has for some labels.
    private typealias Sample = (labels: [(String, String)], value: Double)

    /// What a metric counts.
    private enum Kind: String {
        case counter, gauge
    }

    private let reporter: ResourceReporter
    private let isOpenMetrics: Bool

    init(_ reporter: ResourceReporter, isOpenMetrics: Bool) {
        (self.reporter, self.isOpenMetrics) = (reporter, isOpenMetrics)
    }

    /// The media type of the text.
    var type: String {
        isOpenMetrics
            ? "application/openmetrics-text; version=1.0.0; charset=utf-8" : "text/plain; version=0.0.4; charset=utf-8"
    }

    /// The text of all metrics; while nothing runs, only that it does not.
    func text(hiding secrets: HiddenSecrets) -> String {
        let status = reporter.details(hiding: secrets)
        var lines = metric(.gauge, "rxwatchd_running", "Whether pipelines run.", [([], status == nil ? 0 : 1)])
        if let status { lines += daemon(status) + leaks(status) + nodes(status) }
        return (lines + (isOpenMetrics ? ["# EOF"] : [])).joined(separator: "\n") + "\n"
    }

    private func daemon(_ status: JSON) -> [String] {
        func one(_ value: JSON?) -> [Sample] { value?.number.map { [([], $0)] } ?? [] }
        let version = status["version"]?.string ?? ""
        return metric(.gauge, "rxwatchd_build_info", "The version of the daemon.", [([("version", version)], 1)])
            + metric(
                .gauge, "rxwatchd_config_generation", "The number of configurations that were loaded.",
                one(status["generation"]))
            + metric(
                .gauge, "rxwatchd_reload_failed", "Whether the last reload has failed.",
                [([], status["reloadFailure"] == nil ? 0 : 1)])
            + metric(.gauge, "rxwatchd_uptime_seconds", "The time since the start.", one(status["up"]))
            + metric(
                .gauge, "rxwatchd_resident_memory_bytes", "The memory of the process.",
                one(status["rssKiB"]).map { ($0.labels, $0.value * 1024) })
            + metric(.gauge, "rxwatchd_open_fds", "The open file descriptors.", one(status["fds"]))
            + metric(.gauge, "rxwatchd_inotify_watches", "The inotify watches.", one(status["watches"]))
            + metric(
                .gauge, "rxwatchd_live_resources", "The live objects of the daemon, by kind.",
                (status["resources"]?.object?.members ?? []).filter { $0.key != "total" }
                    .compactMap { kind, count in count.number.map { ([("kind", kind)], $0) } })
            + metric(
                .counter, "rxwatchd_dropped", "The events and records that were dropped.", one(status["dropped"]))
    }

    /// What has leaked. There is nothing about it if live objects are not counted.
    private func leaks(_ status: JSON) -> [String] {
        let leaks: [Sample] = status["leaks"]?.array.map { [([], Double($0.count))] } ?? []
        let pipelines = status["pipelines"]?.object?.members.map(\.value) ?? []
        let excess = pipelines.compactMap { node -> Sample? in
            guard let count = node["subscriptions"]?.number,
                let maximum = node["expectedSubscriptions"]?.array?.last?.number
            else { return nil }
            return ([("node", node["name"]?.string ?? ""), ("kind", "pipeline")], max(0, count - maximum))
        }
        return metric(
            .gauge, "rxwatchd_leaks", "The pipelines, and the replaced nodes, that have leaked objects.", leaks)
            + metric(
                .gauge, "rxwatchd_excess_subscriptions",
                "The subscriptions of the pipeline beyond those that are expected.", excess)
    }

    private func nodes(_ status: JSON) -> [String] {
        let nodes = ["sources", "pipelines"].flatMap { status[$0]?.object?.members.map(\.value) ?? [] }
        func samples(_ value: (JSON) -> Double?) -> [Sample] {
            nodes.compactMap { node in
                value(node).map { ([("node", node["name"]?.string ?? ""), ("kind", node["kind"]?.string ?? "")], $0) }
            }
        }
        let failures = nodes.flatMap(failures)
        return metric(
            .gauge, "rxwatchd_node_active", "Whether the node is armed or running.",
            samples { ["armed", "running"].contains($0["state"]?.string) ? 1 : 0 })
            + metric(
                .counter, "rxwatchd_events", "The events that the node has emitted.", samples { $0["events"]?.number })
            + metric(
                .gauge, "rxwatchd_last_event_timestamp_seconds", "When the node has emitted its last event.",
                samples { $0["last"]?["time"]?.number })
            + metric(
                .gauge, "rxwatchd_next_event_timestamp_seconds", "When the source ticks or polls next.",
                samples { $0["next"]?.number })
            + metric(
                .gauge, "rxwatchd_last_failure_timestamp_seconds", "When the node, or its sink, has failed last.",
                failures.compactMap { labels, failure in (failure?["time"]?.number).map { (labels, $0) } })
            + metric(
                .counter, "rxwatchd_failures", "The failures of the node, or of its sink.",
                failures.map { labels, failure in (labels, failure?["count"]?.number ?? 0) })
            + metric(
                .gauge, "rxwatchd_unsettled_events", "The events of the source that are not settled.",
                samples { $0["unsettled"]?.number })
            + metric(
                .gauge, "rxwatchd_queued_events", "The events that wait in memory for the sinks of the pipeline.",
                samples { $0["queued"]?.number })
            + metric(
                .gauge, "rxwatchd_spooled_events", "The events that wait on disk for the sinks of the pipeline.",
                samples { $0["spooled"]?.number })
            + metric(
                .counter, "rxwatchd_dropped_events", "The events that the sinks of the pipeline have dropped.",
                samples { $0["dropped"]?.number })
            + metric(
                .gauge, "rxwatchd_node_live_resources", "The live objects of the node.", samples { $0["total"]?.number }
            )
    }

    /// The last failure of a node and of each of its sinks, with its labels; `nil` before the first one, so that its
    /// number is 0: a rate needs a number before that of the first failure.
    private func failures(of node: JSON) -> [(labels: [(String, String)], failure: JSON?)] {
        let failures = node["failures"]?.array ?? []
        let sinks = [""] + (node["sinks"]?.array ?? []).compactMap(\.string)
        return sinks.map { sink in
            let labels = [("node", node["name"]?.string ?? ""), ("sink", sink)]
            return (labels, failures.first { ($0["sink"]?.string ?? "") == sink })
        }
    }

    /// The lines of a metric; none without samples.
    private func metric(_ kind: Kind, _ name: String, _ help: String, _ samples: [Sample]) -> [String] {
        guard !samples.isEmpty else { return [] }
        let sampleName = kind == .counter ? "\(name)_total" : name
        let family = isOpenMetrics ? name : sampleName
        return ["# HELP \(family) \(help)", "# TYPE \(family) \(kind.rawValue)"]
            + samples.map { sample in
                let labels = sample.labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
                return "\(sampleName)\(labels.isEmpty ? "" : "{\(labels)}") \(JSON.number(sample.value))"
            }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
