extension Graph {
    /// What runs, in a line: "4 of 5 sources, 2 pipelines running".
    ///
    /// A node that nothing subscribes to, or that has completed, does not run. Pipelines for the sinks of `onError` do not
    /// count.
    package var runningSummary: String {
        let configured = nodes.filter { !Plan.Pipeline.isForFailures($0.name) }
        func count(_ noun: String, _ nodes: [Node]) -> String {
            let running = nodes.count { $0.activity.summary.phase == .running }
            return (running == nodes.count ? "" : "\(running) of ") + counted(nodes.count, noun)
        }
        let sources = count("source", configured.filter { $0.steps == nil })
        return "\(sources), \(count("pipeline", configured.filter { $0.steps != nil })) running"
    }
}
