import Glibc
import RxPipelines
import RxStore

/// The directory that the service manager keeps for the daemon across restarts.
struct StateDirectory: Sendable {
    /// `nil` if there is none: the daemon runs without memory of earlier processes.
    let path: String?
    let recorder: Recorder

    init(path: String? = getenv("STATE_DIRECTORY").map { String(cString: $0) }, _ recorder: Recorder) {
        self.path = path
        self.recorder = recorder
    }

    /// Opens the store of unsettled events and state; `nil` if that fails.
    func openSnapshots() -> SnapshotStore? {
        open("the store of unsettled events and state") { directory, onDamage throws(DatabaseError) in
            try SnapshotStore(in: directory, onDamage: onDamage)
        }
    }

    /// Opens the spools of all sinks; `nil` if that fails.
    func openSpools() -> SpoolDatabase? {
        open("the spool database") { directory, onDamage throws(DatabaseError) in
            try SpoolDatabase(in: directory, onDamage: onDamage)
        }
    }

    private func open<Store>(
        _ what: String, _ make: (String, (String, String) -> Void) throws(DatabaseError) -> Store
    ) -> Store? {
        guard let path else { return nil }
        var store: Store?
        recorder.attempt("opening \(what)") {
            store = try make(path) { aside, reason in
                recorder.record(
                    .error, .warning,
                    "\(what) cannot be read: \(reason); it is kept as \(aside), and a new one is made",
                    [.error: reason, .errorType: "DatabaseError"])
            }
        }
        return store
    }
}
