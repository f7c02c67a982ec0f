import Glibc
import RxEngine

extension Database {
    /// How long to retry while another process has the database locked.
    private static let lockTimeout = Duration.seconds(5)

    /// Opens a database of one format and prepares it.
    ///
    /// If the database is damaged or of a later format, it is renamed, and a new one is created in its place. If the new
    /// one cannot be created, as on a full disk, the old one keeps its name.
    ///
    /// The method waits while another process has the database locked, for at most five seconds.
    ///
    /// - Parameters:
    ///   - path: the path of the database.
    ///   - format: the `user_version` of the database.
    ///   - isForPowerFailures: see ``init(at:isForPowerFailures:largestRow:onRestore:)``.
    ///   - largestRow: see ``init(at:isForPowerFailures:largestRow:onRestore:)``.
    ///   - damage: the damage of the database, if it is already known.
    ///   - prepare: creates the tables that are missing. It detects damage by reading.
    ///   - salvage: copies the readable rows of a damaged database to the new one, and describes them.
    ///   - onDamage: takes the new path of the old database, and its damage.
    ///   - onRestore: runs when the file was deleted and has been written again.
    package static func open(
        _ path: String, format: Int64, isForPowerFailures: Bool = true, largestRow: Int = .max,
        damage: String? = nil,
        prepare: (Database) throws(DatabaseError) -> Void,
        salvage: (_ damaged: Database, _ new: Database) throws(DatabaseError) -> String? = { _, _ in nil },
        onDamage: (String, String) -> Void, onRestore: @escaping @Sendable () -> Void = {}
    ) throws(DatabaseError) -> Database {
        var reason = damage ?? ""
        var isDamaged = true
        if damage == nil {
            do throws(DatabaseError) {
                switch try openSound(path, format, isForPowerFailures, largestRow, prepare, onRestore) {
                case .opened(let database): return database
                case .later(let found): (reason, isDamaged) = ("its format is \(found), of a later version", false)
                }
            } catch {
                guard error.isDamage else { throw error }
                reason = "\(error)"
            }
        }
        let new = "\(path).new"
        remove(new)
        defer { remove(new) }
        if let saved = try make(new, format, largestRow, prepare, isDamaged ? path : nil, salvage) {
            reason += "; \(saved)"
        }
        let aside = renameAside(path)
        guard rename(new, path) == 0 else { throw DatabaseError("rename: \(String(cString: strerror(errno)))") }
        onDamage(aside, reason)
        return try Database(
            at: path, isForPowerFailures: isForPowerFailures, largestRow: largestRow, onRestore: onRestore)
    }

    /// A database that was opened, or that a newer version has written.
    private enum OpenResult {
        case opened(Database)
        case later(format: Int64)
    }

    private static func openSound(
        _ path: String, _ format: Int64, _ isForPowerFailures: Bool, _ largestRow: Int,
        _ prepare: (Database) throws(DatabaseError) -> Void, _ onRestore: @escaping @Sendable () -> Void
    ) throws(DatabaseError) -> OpenResult {
        let deadline = SuspendingClock.now + lockTimeout
        var status = stat()
        let isEmpty = stat(path, &status) != 0 || status.st_size == 0
        while true {
            do throws(DatabaseError) {
                let database = try Database(
                    at: path, isForPowerFailures: isForPowerFailures, largestRow: largestRow, onRestore: onRestore)
                let found = try database.run("PRAGMA user_version").first?.first?.integer ?? 0
                if found > format { return .later(format: found) }
                try prepare(database)
                if found < format { try database.run("PRAGMA user_version = \(format)") }
                return .opened(database)
            } catch {
                // The new file holds nothing yet.
                if isEmpty, error.isOutOfRoom { remove(path) }
                guard error.isBusy, SuspendingClock.now < deadline else { throw error }
            }
            usleep(20_000)
        }
    }

    /// Creates a database with the readable rows of a damaged one, all in one file without a log.
    private static func make(
        _ path: String, _ format: Int64, _ largestRow: Int, _ prepare: (Database) throws(DatabaseError) -> Void,
        _ damaged: String?,
        _ salvage: (Database, Database) throws(DatabaseError) -> String?
    ) throws(DatabaseError) -> String? {
        let database = try Database(at: path, largestRow: largestRow)
        try prepare(database)
        let source = damaged.flatMap { try? Database(reading: $0, largestRow: largestRow) }
        let saved = try source.flatMap { source throws(DatabaseError) in try salvage(source, database) }
        try database.run("PRAGMA user_version = \(format)")
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return saved
    }

    /// Renames a database to an unused name. It exists under one of its names at any moment.
    private static func renameAside(_ path: String) -> String {
        var aside = "\(path).damaged"
        var number = 1
        while access(aside, F_OK) == 0 {
            number += 1
            aside = "\(path).damaged.\(number)"
        }
        if link(path, aside) != 0 { rename(path, aside) }
        // Rename its logs too: the log of another database must not stay beside the new one.
        for suffix in logs { rename(path + suffix, aside + suffix) }
        return aside
    }

    static let logs = ["-wal", "-shm"]

    private static func remove(_ path: String) {
        for suffix in [""] + logs { unlink(path + suffix) }
    }
}
