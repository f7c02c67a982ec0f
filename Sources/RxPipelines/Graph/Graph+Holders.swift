extension Graph {
    /// Returns what will still act on source events: the keys of sinks, and pipelines whose steps hold them.
    ///
    /// An event has no holder if only its source holds it, or if it has been settled meanwhile.
    ///
    /// - Parameter ids: the ids of the source events.
    /// - Returns: the holders of each event by its id.
    package func holders(of ids: Set<String>) -> [String: [String]] {
        var holders: [String: [String]] = [:]
        func add(_ events: [PipelineEvent], _ holder: String) {
            let held = Set(events.flatMap { $0.delivery?.sourceEvents ?? [] }.map(\.id))
            // A retired run and the one that replaces it may have the same sink.
            for id in held.intersection(ids) where holders[id]?.contains(holder) != true {
                holders[id, default: []].append(holder)
            }
        }
        let runs = runs + retired.all
        var pipelines = nodes
        for node in runs.map(\.node) where !pipelines.contains(where: { $0 === node }) { pipelines.append(node) }
        for node in pipelines {
            add(node.steps?.input.entries.all.map(\.event) ?? [], "the steps of \(node.name)")
        }
        for run in runs {
            for sink in run.sinkKeys { add(run.unfinished(of: sink), sink) }
        }
        return holders
    }
}
