import RxDiagnostics

extension LoadedConfig {
    /// A notice for each source and pipeline that does not run.
    var idleNodes: [Diagnostic] {
        let (running, nodes) = (plan.runningPipelines, nodeLocations)
        let sources = plan.sources.map { (kind: "source", name: $0.name, reason: Plan.idleSourceReason) }
        let pipelines = plan.pipelines.map { (kind: "pipeline", name: $0.name, reason: Plan.idleReason) }
        return (sources + pipelines).compactMap { kind, name, reason in
            guard !running.contains(name), let location = nodes[name] else { return nil }
            return Diagnostic("\(kind) \(name) does not run: \(reason)", at: location, .notice)
        }
    }
}

extension Plan {
    /// Why a pipeline does not run.
    static let idleReason = "it has no sink, and \(idleSourceReason)"

    /// Why a source does not run.
    static let idleSourceReason = "nothing that runs takes its events"

    /// The nodes that run: pipelines with a sink, and all from which these take events.
    var runningPipelines: Set<String> {
        nodes(neededBy: Set(pipelines.filter { !$0.sinks.isEmpty }.map(\.name)))
    }

    /// The nodes with these names, and all that they take events from.
    func nodes(neededBy nodes: Set<String>) -> Set<String> {
        var needed = nodes
        for pipeline in pipelines.reversed() where needed.contains(pipeline.name) {
            needed.formUnion(pipeline.dependencies)
        }
        return needed
    }
}
