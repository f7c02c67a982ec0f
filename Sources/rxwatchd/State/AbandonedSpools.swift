import Dispatch
import RxPipelines

extension Recorder {
    /// Warns of spooled events that no sink delivers: the configuration does not have their sink, or the spool could
    /// not be read at the start. Does not wait for the database, which may be large or damaged.
    func recordAbandoned(_ spools: (any SpoolStore)?, _ graph: Graph) {
        guard let spools else { return }
        let (keys, spooled) = (graph.sinkKeys, graph.spooledSinkKeys)
        DispatchQueue.global(qos: .utility).async { recordAbandoned(spools, keys, spooled) }
    }

    private func recordAbandoned(_ spools: any SpoolStore, _ keys: Set<String>, _ spooled: Set<String>) {
        attempt("looking for abandoned spools") {
            // A damaged one is repaired when it is used again.
            for sink in try (try? spools.sinks()) ?? spools.sinks() where !spooled.contains(sink) {
                let count = try spools.size(of: sink).count
                let fate =
                    keys.contains(sink)
                    ? "spooled until the next start: the spool could not be read at this one"
                    : "spooled: the configuration has no such sink, or has it under another name; restore the sink, or drop "
                        + "them: rxwatchctl spool drop \(sink) --all"
                record(
                    .sink, .warning, "\(sink): \(counted(count, "event stays", "events stay")) \(fate)",
                    [.spooled: String(count)])
            }
        }
    }
}
