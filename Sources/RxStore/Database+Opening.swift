import Glibc
import RxEngine

extension Database {
    /// How long to wait for another process that has the database.
    private static let patience = Duration.seconds(5)

    /// Opens a database of one format and prepares it. One that is damaged, or of a later format, is set aside, and a
    /// new one made.
    ///
    /// Waits while another process has it. Where the new one cannot be made, as on a full disk, the old one stays in
    /// its place.
    ///
    /// - Parameters:
    ///   - format: the `user_version` of the database.
    ///   - isForPowerFailures: see ``init(at:isForPowerFailures:onRestore:)``.
    ///   - damage: what is wrong with the database, if that is known.
    ///   - prepare: makes the tables that are missing. What it reads shows damage.
    ///   - salvage: copies what can be read of a damaged database to the new one, and says how much that is.
    ///   - onDamage: called with the new path of the old database, and with what is wrong with it.
    ///   - onRestore: called when the file was deleted and has been written again.
    package static func open(
        _ path: String, format: Int64, isForPowerFailures: Bool = true, damage: String? = nil,
        prepare: (Database) throws(DatabaseError) -> Void,
        salvage: (_ damaged: Database, _ new: Database) throws(DatabaseError) -> String? = { _, _ in nil },
        onDamage: (String, String) -> Void, onRestore: @escaping @Sendable () -> Void = {}
    ) throws(DatabaseError) -> Database {
        var reason = damage ?? ""
        var isDamaged = true
        if damage == nil {
            do throws(DatabaseError) {
                switch try openSound(path, format, isForPowerFailures, prepare, onRestore) {
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
        if let saved = try make(new, format, prepare, isDamaged ? path : nil, salvage) { reason += "; \(saved)" }
        let aside = setAside(path)
        guard rename(new, path) == 0 else { throw DatabaseError("rename: \(String(cString: strerror(errno)))") }
        onDamage(aside, reason)
        return try Database(at: path, isForPowerFailures: isForPowerFailures, onRestore: onRestore)
    }

    private enum Found {
        case opened(Database)
        case later(format: Int64)
    }

    private static func openSound(
        _ path: String, _ format: Int64, _ isForPowerFailures: Bool,
        _ prepare: (Database) throws(DatabaseError) -> Void, _ onRestore: @escaping @Sendable () -> Void
    ) throws(DatabaseError) -> Found {
        let deadline = ContinuousClock.now + patience
        var status = stat()
        let isEmpty = stat(path, &status) != 0 || status.st_size == 0
        while true {
            do throws(DatabaseError) {
                let database = try Database(
                    at: path, isForPowerFailures: isForPowerFailures, onRestore: onRestore)
                let found = try database.run("PRAGMA user_version").first?.first?.integer ?? 0
                if found > format { return .later(format: found) }
                try prepare(database)
                if found < format { try database.run("PRAGMA user_version = \(format)") }
                return .opened(database)
            } catch {
                // There is nothing in it yet.
                if isEmpty, error.isOutOfRoom { remove(path) }
                guard error.isBusy, ContinuousClock.now < deadline else { throw error }
            }
            usleep(20_000)
        }
    }

    /// Makes a database, with what can be read of a damaged one, all of it in one file.
    private static func make(
        _ path: String, _ format: Int64, _ prepare: (Database) throws(DatabaseError) -> Void, _ damaged: String?,
        _ salvage: (Database, Database) throws(DatabaseError) -> String?
    ) throws(DatabaseError) -> String? {
        let database = try Database(at: path)
        try prepare(database)
        let source = damaged.flatMap { try? Database(reading: $0) }
        let saved = try source.flatMap { source throws(DatabaseError) in try salvage(source, database) }
        try database.run("PRAGMA user_version = \(format)")
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return saved
    }

    /// Gives a database another name, which no other has. Whatever happens meanwhile, it is there.
    private static func setAside(_ path: String) -> String {
        var aside = "\(path).damaged"
        var number = 1
        while access(aside, F_OK) == 0 {
            number += 1
            aside = "\(path).damaged.\(number)"
        }
        if link(path, aside) != 0 { rename(path, aside) }
        // Nor may a log of another database stay beside the new one.
        for suffix in logs { rename(path + suffix, aside + suffix) }
        return aside
    }

    static let logs = ["-wal", "-shm"]

    private static func remove(_ path: String) {
        for suffix in [""] + logs { unlink(path + suffix) }
    }
}
