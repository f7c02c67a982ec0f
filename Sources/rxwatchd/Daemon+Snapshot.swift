import Glibc
import RxPipelines
import RxStore

// Unsettled events across restarts.
extension Daemon {
    /// The store in the state directory; `nil` where there is none, or it cannot be used: the daemon does its work all the
    /// same.
    func openStore() -> SnapshotStore? {
        open("the store of unsettled events and state") { directory, onDamage throws(DatabaseError) in
            try SnapshotStore(in: directory, onDamage: onDamage)
        }
    }

    /// The spools in the state directory; `nil` where there is none, or they cannot be used.
    func openSpools() -> SpoolDatabase? {
        open("the spool database") { directory, onDamage throws(DatabaseError) in
            try SpoolDatabase(in: directory, onDamage: onDamage)
        }
    }

    private func open<Store>(
        _ what: String, _ make: (String, (String, String) -> Void) throws(DatabaseError) -> Store
    ) -> Store? {
        guard let directory = getenv("STATE_DIRECTORY").map({ String(cString: $0) }) else { return nil }
        var store: Store?
        attempt("opening \(what)") {
            store = try make(directory) { aside, reason in
                tell(
                    .error, .warning,
                    "\(what) cannot be read: \(reason); it is kept as \(aside), and a new one is made",
                    [.error: reason, .errorType: "DatabaseError"])
            }
        }
        return store
    }

    /// Warns of events that are spooled for sinks that the config does not have.
    func recordAbandonedSpools(_ spools: (any SpoolStore)?, _ graph: Graph) {
        guard let spools else { return }
        attempt("looking for abandoned spools") {
            let keys = graph.sinkKeys
            for sink in try spools.sinks() where !keys.contains(sink) {
                let count = try spools.size(of: sink).count
                tell(
                    .sink, .warning,
                    "\(sink): \(count) events stay spooled: the config has no such sink, or has it under another name",
                    [.spooled: String(count)])
            }
        }
    }

    /// What the previous process left.
    func left(in store: SnapshotStore?) -> Snapshot {
        var snapshot = Snapshot()
        attempt("reading what the previous process left") { snapshot = try store?.snapshot() ?? snapshot }
        return snapshot
    }

    /// The snapshot with the events whose source is in the plan; records their number and that of the others.
    func redelivering(_ snapshot: Snapshot, to plan: Plan) -> Snapshot {
        let events = snapshot.events
        let names = Set(plan.sources.map(\.name))
        let known = events.filter { names.contains($0.event.source) }
        if !known.isEmpty {
            tell(
                .lifecycle, .notice, "\(Self.count(known.count)) not settled by the previous process; redelivering",
                [.phase: "starting", .unsettled: String(known.count)])
        }
        if known.count < events.count {
            let count = events.count - known.count
            tell(
                .lifecycle, .warning,
                "\(Self.count(count)) not settled by the previous process; dropped, as their sources "
                    + "are no longer in the config", [.phase: "starting", .dropped: String(count)])
        }
        return Snapshot(events: known, nodes: snapshot.nodes)
    }

    /// Records that unsettled events cannot be saved, or can be again.
    func tellOfStore(_ error: DatabaseError?) {
        if let error {
            tell(
                .error, .warning, "saving unsettled events and state failed, retrying: \(error)",
                [.error: "\(error)", .errorType: "DatabaseError"])
        } else {
            tell(.error, .notice, "saving unsettled events and state works again")
        }
    }

    /// Stores the snapshot for the next process, and records the number of unsettled events.
    func keep(_ snapshot: Snapshot, in store: SnapshotStore?) {
        let events = snapshot.events
        attempt("saving unsettled events and state") { try store?.replace(with: snapshot) }
        guard !events.isEmpty else { return }
        let (priority, fate): (Priority, String) =
            store == nil
            ? (.warning, "lost, as there is no state directory to keep them in") : (.notice, "kept for the next start")
        tell(
            .lifecycle, priority, "\(Self.count(events.count)) not settled; \(fate)",
            [.phase: "stopping", .unsettled: String(events.count)])
    }

    private static func count(_ number: Int) -> String { number == 1 ? "1 event was" : "\(number) events were" }
}
