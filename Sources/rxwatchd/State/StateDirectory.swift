import Dispatch
import Glibc
import RxLinux
import RxPipelines

/// The state directory, which the service manager keeps across restarts of the daemon.
struct StateDirectory: Sendable {
    /// `nil` if there is none: the daemon saves nothing.
    let path: String?
    let recorder: Recorder

    init(path: String? = getenv("STATE_DIRECTORY").map { String(cString: $0) }, _ recorder: Recorder) {
        self.path = path
        self.recorder = recorder
    }

    /// Locks the directory for this process: two daemons would both deliver the unsettled events in it.
    ///
    /// - Returns: the lock; `nil` if there is no directory, or if it cannot be locked.
    func lock() throws(StateInUse) -> DirectoryLock? {
        guard let path else { return nil }
        do throws(SystemError) {
            // After a kill, a child of the process before may have its descriptors for some milliseconds, until it has
            // executed its program.
            if let lock = try DirectoryLock(path, attempts: 50) { return lock }
        } catch {
            // The file system may not support locks. Any other problem is recorded when a store is opened there.
            return nil
        }
        throw StateInUse(path: path)
    }

    /// The database of unsettled events and state, which is opened at its first use; `nil` without a directory.
    func snapshots() -> SnapshotStore? {
        path.map { [recorder] path in
            let what = StateDatabase.snapshots.description(in: path)
            return SnapshotStore(
                openingLaterIn: path, onDamage: { recorder.recordDamage(of: what, $0, $1) },
                onRestore: { recorder.recordRestore(of: what) },
                onLateOpening: { left in
                    recorder.record(
                        .error, left == 0 ? .notice : .warning,
                        "\(what) could not be opened at the start, and is open now; \(left) events of the previous "
                            + "process stay there until the next start",
                        [.unsettled: String(left)])
                },
                onRest: { rest in
                    recorder.record(
                        .error, .warning,
                        "\(what) has more events than there is memory for: the last \(rest) stay there until the next "
                            + "start", [.unsettled: String(rest)])
                })
        }
    }

    /// The spools of all sinks, which are being opened in the background; `nil` without a directory.
    func spools() -> LazySpoolDatabase? {
        let spools = path.map { [recorder] path in
            let what = StateDatabase.spools.description(in: path)
            return LazySpoolDatabase(
                in: path, onDamage: { recorder.recordDamage(of: what, $0, $1) },
                onRestore: { recorder.recordRestore(of: what) }
            ) { error in
                guard let error else { return recorder.record(.error, .notice, "\(what) is open now") }
                recorder.record(
                    .error, .warning, "opening \(what) failed, retrying: \(error)",
                    [.error: "\(error)", .errorType: "\(type(of: error))"])
            }
        }
        // In the background: to salvage a damaged one may take longer than a start may.
        DispatchQueue.global(qos: .utility).async { spools?.open() }
        return spools
    }

    /// The lines that file sinks are about to write; `nil` without a directory.
    func batches() -> FileBatches? {
        path.map { [recorder] path in
            let what = StateDatabase.batches.description(in: path)
            let store = BatchDatabase(
                in: path, onDamage: { recorder.recordDamage(of: what, $0, $1) },
                onRestore: { recorder.recordRestore(of: what) }
            ) { error in
                guard let error else { return recorder.record(.error, .notice, "\(what) works again") }
                recorder.record(
                    .error, .warning, "\(what) failed, and after a kill file sinks may repeat lines: \(error)",
                    [.error: "\(error)", .errorType: "\(type(of: error))"])
            }
            return FileBatches(store)
        }
    }
}

/// The error that another process uses the state directory.
struct StateInUse: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "another rxwatchd uses the state directory '\(path)': stop it, or set STATE_DIRECTORY to another directory"
    }
}

extension Recorder {
    /// Records that a damaged database was renamed.
    fileprivate func recordDamage(of what: String, _ aside: String, _ reason: String) {
        record(
            .error, .warning, "\(what) cannot be read: \(reason); it is renamed to \(aside), and a new one is created",
            [.error: reason, .errorType: "DatabaseError"])
    }

    /// Records that a deleted database was written again.
    fileprivate func recordRestore(of what: String) {
        record(.error, .warning, "\(what) was deleted while the daemon was running; it is written again")
    }
}
