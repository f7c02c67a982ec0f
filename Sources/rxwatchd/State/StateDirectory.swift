import Dispatch
import Glibc
import RxLinux
import RxPipelines

/// The directory that the service manager keeps for the daemon across restarts.
struct StateDirectory: Sendable {
    /// `nil` if there is none: the daemon runs without memory of earlier processes.
    let path: String?
    let recorder: Recorder

    init(path: String? = getenv("STATE_DIRECTORY").map { String(cString: $0) }, _ recorder: Recorder) {
        self.path = path
        self.recorder = recorder
    }

    /// Takes the directory for this process alone: two daemons would both do what the last one has left.
    ///
    /// - Returns: the lock; `nil` if there is no directory, or none that can be locked.
    func lock() throws(StateInUse) -> DirectoryLock? {
        guard let path else { return nil }
        do throws(SystemError) {
            if let lock = try DirectoryLock(path) { return lock }
        } catch {
            // Where a file system knows no locks, one daemon is all that can be hoped for. What else is wrong is
            // recorded by whoever opens a store there.
            return nil
        }
        throw StateInUse(path: path)
    }

    /// The store of unsettled events and state, which is opened when it is used; `nil` if there is no directory.
    func snapshots() -> SnapshotStore? {
        let (recorder, what) = (recorder, "the store of unsettled events and state")
        return path.map { path in
            SnapshotStore(
                openingLaterIn: path, onDamage: { recorder.recordDamage(of: what, $0, $1) },
                onRestore: { recorder.recordRestore(of: what) }
            ) { left in
                recorder.record(
                    .error, left == 0 ? .notice : .warning,
                    "\(what) could not be opened at the start, and is open now; \(left) events of the previous process "
                        + "stay there until the next start",
                    [.unsettled: String(left)])
            }
        }
    }

    /// The spools of all sinks, opened soon if that is possible, or else later; `nil` if there is no directory.
    func spools() -> LazySpools? {
        let (recorder, what) = (recorder, "the spool database")
        let spools = path.map { path in
            LazySpools(
                in: path, onDamage: { recorder.recordDamage(of: what, $0, $1) },
                onRestore: { recorder.recordRestore(of: what) }
            ) { error in
                guard let error else { return recorder.record(.error, .notice, "\(what) is open now") }
                recorder.record(
                    .error, .warning, "opening \(what) failed, retrying: \(error)",
                    [.error: "\(error)", .errorType: "\(type(of: error))"])
            }
        }
        // To salvage a damaged one may take longer than a start may.
        DispatchQueue.global(qos: .utility).async { spools?.open() }
        return spools
    }

    /// What file sinks are about to write, and have written; `nil` if there is no directory.
    func batches() -> FileBatches? {
        let (recorder, what) = (recorder, "the store of what sinks are about to write")
        return path.map { path in
            let store = BatchDatabase(
                in: path, onDamage: { recorder.recordDamage(of: what, $0, $1) },
                onRestore: { recorder.recordRestore(of: what) }
            ) { error in
                guard let error else { return recorder.record(.error, .notice, "\(what) works again") }
                recorder.record(
                    .error, .warning, "\(what) failed, and a kill may repeat several lines: \(error)",
                    [.error: "\(error)", .errorType: "\(type(of: error))"])
            }
            return FileBatches(store)
        }
    }
}

/// Another process has the state directory.
struct StateInUse: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "another rxwatchd uses the state directory '\(path)': stop it, or set STATE_DIRECTORY to another directory"
    }
}

extension Recorder {
    /// Records that a database was set aside.
    fileprivate func recordDamage(of what: String, _ aside: String, _ reason: String) {
        record(
            .error, .warning, "\(what) cannot be read: \(reason); it is kept as \(aside), and a new one is made",
            [.error: reason, .errorType: "DatabaseError"])
    }

    /// Records that a database was written again.
    fileprivate func recordRestore(of what: String) {
        record(.error, .warning, "\(what) was deleted while the daemon was running; it is written again")
    }
}
