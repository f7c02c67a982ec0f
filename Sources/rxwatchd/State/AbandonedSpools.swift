import RxPipelines

extension Recorder {
    /// Warns of events that are spooled for sinks that the config does not have.
    func recordAbandoned(_ spools: (any SpoolStore)?, _ graph: Graph) {
        guard let spools else { return }
        attempt("looking for abandoned spools") {
            let keys = graph.sinkKeys
            for sink in try spools.sinks() where !keys.contains(sink) {
                let count = try spools.size(of: sink).count
                record(
                    .sink, .warning,
                    "\(sink): \(count) events stay spooled: the config has no such sink, or has it under another name",
                    [.spooled: String(count)])
            }
        }
    }
}
