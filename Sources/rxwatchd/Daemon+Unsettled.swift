import Glibc
import RxPipelines
import RxStore

// Unsettled events across restarts.
extension Daemon {
    /// The store in the state directory; `nil` where there is none, or it cannot be used: the daemon does its work all the
    /// same.
    func openStore() -> UnsettledStore? {
        guard let directory = getenv("STATE_DIRECTORY").map({ String(cString: $0) }) else { return nil }
        var store: UnsettledStore?
        attempt("opening the store of unsettled events") {
            store = try UnsettledStore(in: directory) { aside, error in
                tell(
                    .error, .warning,
                    "the store of unsettled events is damaged: \(error); it is kept as \(aside), and a new one is made",
                    [.error: "\(error)", .errorType: "DatabaseError"])
            }
        }
        return store
    }

    /// The events that the previous process left.
    func left(in store: UnsettledStore?) -> [UnsettledEvent] {
        var events: [UnsettledEvent] = []
        attempt("reading the store of unsettled events") { events = try store?.events() ?? [] }
        return events
    }

    /// The events whose source is in the plan; records the number of both.
    func redelivered(_ events: [UnsettledEvent], to plan: Plan) -> [UnsettledEvent] {
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
        return known
    }

    /// Records that unsettled events cannot be saved, or can be again.
    func tellOfStore(_ error: DatabaseError?) {
        if let error {
            tell(
                .error, .warning, "saving unsettled events failed, retrying: \(error)",
                [.error: "\(error)", .errorType: "DatabaseError"])
        } else {
            tell(.error, .notice, "saving unsettled events works again")
        }
    }

    /// Stores the unsettled events for the next process.
    func keep(_ events: [UnsettledEvent], in store: UnsettledStore?) {
        attempt("keeping the events that are not settled") { try store?.replace(with: events) }
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
