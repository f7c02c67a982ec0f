import CSQLite
import Glibc
import RxEngine

// Unchecked: the connection is used under the lock alone.
/// A SQLite database in a file, with a write-ahead log.
///
/// What a transaction has committed survives the process; it survives a power failure if it, or a later one, is durable.
package final class Database: @unchecked Sendable {
    private let lock = Lock()
    private let connection: OpaquePointer
    /// Whether a commit waits for the disk.
    private var isDurable = true

    /// Opens the database, or makes it.
    package init(at path: String) throws(DatabaseError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let status = sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened, status == SQLITE_OK else {
            let error = DatabaseError(status, opened)
            sqlite3_close(opened)
            throw error
        }
        connection = opened
        sqlite3_extended_result_codes(connection, 1)
        sqlite3_busy_timeout(connection, 1_000)
        do {
            // Small as it is, the log may not grow without end while nobody checkpoints it.
            try run("PRAGMA journal_mode = WAL")
            try run("PRAGMA synchronous = FULL")
            try run("PRAGMA journal_size_limit = 1048576")
        } catch {
            sqlite3_close(opened)
            throw error
        }
    }

    /// Opens a database of one format and prepares it. One that is damaged, or of a later format, is set aside, and a new one made.
    ///
    /// - Parameters:
    ///   - format: the `user_version` of the database.
    ///   - prepare: makes the tables that are missing. What it reads shows damage.
    ///   - onDamage: called with the new path of the old database, and with what is wrong with it.
    package static func open(
        _ path: String, format: Int64, prepare: (Database) throws(DatabaseError) -> Void,
        onDamage: (String, String) -> Void
    ) throws(DatabaseError) -> Database {
        var reason = ""
        do throws(DatabaseError) {
            let database = try Database(at: path)
            let found = try database.run("PRAGMA user_version").first?.first?.integer ?? 0
            if found <= format {
                try prepare(database)
                if found < format { try database.run("PRAGMA user_version = \(format)") }
                return database
            }
            reason = "its format is \(found), of a later version"
        } catch {
            guard error.isDamage else { throw error }
            reason = "\(error)"
        }
        let aside = "\(path).damaged"
        for suffix in ["", "-wal", "-shm"] { rename(path + suffix, aside + suffix) }
        onDamage(aside, reason)
        let database = try Database(at: path)
        try prepare(database)
        try database.run("PRAGMA user_version = \(format)")
        return database
    }

    deinit {
        sqlite3_close_v2(connection)
    }

    /// Runs a statement.
    ///
    /// - Returns: its rows.
    @discardableResult
    package func run(_ statement: String, _ values: DatabaseValue...) throws(DatabaseError) -> [[DatabaseValue]] {
        try lock.locked { () -> Result<[[DatabaseValue]], DatabaseError> in
            Result { () throws(DatabaseError) in try Statement(statement, connection).run(values) }
        }.get()
    }

    /// Runs a statement for each row of values: all of them, or none where one fails.
    ///
    /// - Parameter isDurable: whether it returns when this is safe from a power failure.
    package func transaction(
        _ steps: [(statement: String, rows: [[DatabaseValue]])], isDurable: Bool = true
    ) throws(DatabaseError) {
        try lock.locked { () -> Result<Void, DatabaseError> in
            Result { () throws(DatabaseError) in
                if isDurable != self.isDurable {
                    _ = try Statement("PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")", connection).run([])
                    self.isDurable = isDurable
                }
                _ = try Statement("BEGIN IMMEDIATE", connection).run([])
                do throws(DatabaseError) {
                    for (text, rows) in steps {
                        let statement = try Statement(text, connection)
                        for row in rows { _ = try statement.run(row) }
                    }
                    _ = try Statement("COMMIT", connection).run([])
                } catch {
                    // Where the transaction is over already, there is nothing to undo.
                    _ = try? Statement("ROLLBACK", connection).run([])
                    throw error
                }
            }
        }.get()
    }
}

/// A value in a database.
package enum DatabaseValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension DatabaseValue {
    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    package var real: Double? { if case .real(let real) = self { real } else { nil } }
    package var blob: [UInt8]? { if case .blob(let blob) = self { blob } else { nil } }
}
