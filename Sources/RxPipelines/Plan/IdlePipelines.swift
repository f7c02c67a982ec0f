extension Plan {
    /// A notice for each source and pipeline that does not run.
    var idleNodes: [String] {
        let running = runningPipelines
        let idleSources = sources.filter { !running.contains($0.name) }
            .map { "source \($0.name) does not run: \(Self.idleSourceReason)" }
        return idleSources
            + pipelines.filter { !running.contains($0.name) }
            .map { "pipeline \($0.name) does not run: \(Self.idleReason)" }
    }

    /// Why a pipeline does not run.
    static let idleReason = "it has no sink, and \(idleSourceReason)"

    /// Why a source does not run.
    static let idleSourceReason = "nothing that runs takes its events"

    /// The nodes that run: pipelines with a sink, and all from which these take events.
    var runningPipelines: Set<String> {
        nodes(neededBy: Set(pipelines.filter { !$0.sinks.isEmpty }.map(\.name)))
    }

    /// These nodes and all that they take events from.
    func nodes(neededBy nodes: Set<String>) -> Set<String> {
        var needed = nodes
        for pipeline in pipelines.reversed() where needed.contains(pipeline.name) {
            needed.formUnion(pipeline.dependencies)
        }
        return needed
    }
}
