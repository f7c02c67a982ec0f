import Dispatch
import RxPipelines

extension Recorder {
    /// Warns of events that are spooled for sinks that the config does not have. Does not wait for the database, which
    /// may be large or damaged.
    func recordAbandoned(_ spools: (any SpoolStore)?, _ graph: Graph) {
        guard let spools else { return }
        let keys = graph.sinkKeys
        DispatchQueue.global(qos: .utility).async { recordAbandoned(spools, keys) }
    }

    private func recordAbandoned(_ spools: any SpoolStore, _ keys: Set<String>) {
        attempt("looking for abandoned spools") {
            // A damaged one is repaired when it is used again.
            for sink in try (try? spools.sinks()) ?? spools.sinks() where !keys.contains(sink) {
                let count = try spools.size(of: sink).count
                record(
                    .sink, .warning,
                    "\(sink): \(counted(count, "event stays", "events stay")) spooled: the config has no such sink, or has it under another name",
                    [.spooled: String(count)])
            }
        }
    }
}
