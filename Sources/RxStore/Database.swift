import CSQLite
import Glibc
import RxEngine

// Unchecked: the connection is used under the lock only.
/// An SQLite database in a file, with a write-ahead log.
///
/// A committed transaction survives the process; it survives a power failure if it, or a later one, is durable.
package final class Database: @unchecked Sendable {
    private let lock = Lock()
    private let path: String
    /// `nil` if the file was written again and could not be opened.
    private var connection: OpaquePointer?
    private let isForPowerFailures: Bool
    /// The largest row, in bytes.
    private let largestRow: Int
    /// Whether a commit waits for the disk.
    private var isDurable: Bool
    private let onRestore: @Sendable () -> Void

    /// Opens or creates the database.
    ///
    /// If the disk is full, the database can be read, and also written once there is room. No other process can open it
    /// then until it is closed.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - isForPowerFailures: whether any transaction is to survive a power failure. If not, nothing waits for the
    ///     disk, and the database is locked against other processes while it is open.
    ///   - largestRow: the largest row that can be stored, in bytes. A file with a larger one counts as damaged.
    ///   - onRestore: runs when the file was deleted and has been written again, see ``transaction(_:isDurable:)``.
    package convenience init(
        at path: String, isForPowerFailures: Bool = true, largestRow: Int = .max,
        onRestore: @escaping @Sendable () -> Void = {}
    ) throws(DatabaseError) {
        let connection = try Self.connect(path, isForPowerFailures, largestRow)
        self.init(path, connection, isForPowerFailures, largestRow, onRestore)
    }

    private static func connect(
        _ path: String, _ isForPowerFailures: Bool, _ largestRow: Int
    ) throws(DatabaseError) -> OpaquePointer {
        // The log is small, but it would grow without end if nothing checkpointed it.
        let settings =
            (isForPowerFailures ? [] : ["locking_mode = EXCLUSIVE"]) + [
                "journal_mode = WAL", "synchronous = \(isForPowerFailures ? "FULL" : "OFF")",
                "journal_size_limit = 1048576",
            ]
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        do throws(DatabaseError) {
            return try connect(path, flags, largestRow, settings)
        } catch {
            guard error.isOutOfRoom else { throw error }
            // An exclusive lock keeps the index of the log in memory, where it needs no disk space.
            let retried = try? connect(path, flags, largestRow, ["locking_mode = EXCLUSIVE"] + settings)
            guard let retried else { throw error }
            return retried
        }
    }

    /// Opens a damaged database to read its remaining rows.
    package convenience init(reading path: String, largestRow: Int = .max) throws(DatabaseError) {
        self.init(path, try Self.connect(path, SQLITE_OPEN_READONLY, largestRow, []), true, largestRow) {}
    }

    private init(
        _ path: String, _ connection: OpaquePointer, _ isForPowerFailures: Bool, _ largestRow: Int,
        _ onRestore: @escaping @Sendable () -> Void
    ) {
        self.path = path
        self.connection = connection
        self.isForPowerFailures = isForPowerFailures
        isDurable = isForPowerFailures
        self.largestRow = largestRow
        self.onRestore = onRestore
    }

    private static func connect(
        _ path: String, _ flags: Int32, _ largestRow: Int, _ settings: [String]
    ) throws(DatabaseError) -> OpaquePointer {
        if flags & SQLITE_OPEN_CREATE != 0 {
            // For this user alone, whatever the umask is; SQLite gives its log and index the same mode. Only a file that
            // is new here is opened: closing another one would release SQLite's locks.
            let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if file >= 0 { Glibc.close(file) }
        }
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened, status == SQLITE_OK else {
            let error = DatabaseError(status, opened)
            sqlite3_close(opened)
            throw error
        }
        sqlite3_extended_result_codes(opened, 1)
        // SQLite lowers a number that is above its own limit.
        sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, Int32(clamping: largestRow))
        sqlite3_busy_timeout(opened, 1_000)
        do throws(DatabaseError) {
            for setting in settings { _ = try Statement("PRAGMA \(setting)", opened).run([]) }
        } catch {
            sqlite3_close_v2(opened)
            throw error
        }
        return opened
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
            Result { () throws(DatabaseError) in try Statement(statement, opened()).run(values) }
        }.get()
    }

    /// Runs a query, and calls `receive` with each row until it returns `false`. It must not use the database.
    package func read(
        _ query: String, _ values: DatabaseValue..., receive: ([DatabaseValue]) throws(DatabaseError) -> Bool
    ) throws(DatabaseError) {
        try lock.locked { () -> Result<Void, DatabaseError> in
            Result { () throws(DatabaseError) in try Statement(query, opened()).run(values, receive) }
        }.get()
    }

    /// Runs a statement for each row of values, in one transaction: all rows, or none if one fails.
    ///
    /// A file that was deleted since it was opened is first written again, with its content.
    ///
    /// - Parameters:
    ///   - steps: the statements and their rows.
    ///   - isDurable: whether to return only when the transaction is safe from a power failure.
    package func transaction(
        _ steps: [(statement: String, rows: [[DatabaseValue]])], isDurable: Bool = true
    ) throws(DatabaseError) {
        let isRestored = try lock.locked { Result { () throws(DatabaseError) in try restoreIfDeleted() } }.get()
        if isRestored { onRestore() }
        try lock.locked { () -> Result<Void, DatabaseError> in
            Result { () throws(DatabaseError) in
                let connection = try opened()
                if isDurable != self.isDurable, isForPowerFailures {
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
                    // The rollback fails if SQLite has already ended the transaction; then there is nothing to undo.
                    _ = try? Statement("ROLLBACK", connection).run([])
                    throw error
                }
            }
        }.get()
    }

    /// Writes the file again if it was deleted or moved: it is still open, with all of its content.
    private func restoreIfDeleted() throws(DatabaseError) -> Bool {
        let old = try opened()
        var hasMoved: Int32 = 0
        sqlite3_file_control(old, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        if hasMoved == 0 { return false }
        if access(path, F_OK) == 0 {
            throw DatabaseError("the file was replaced while it was used", SQLITE_CORRUPT)
        }
        let copy = "\(path).new"
        unlink(copy)
        do throws(DatabaseError) {
            _ = try Statement("VACUUM INTO ?", old).run([.text(copy)])
        } catch {
            throw DatabaseError("'\(path)' was deleted, and cannot be written again: \(error)")
        }
        // Close the old connection first: closing it may remove or leave the log beside its path, which must not be the
        // log of the new file.
        connection = nil
        isDurable = isForPowerFailures
        sqlite3_close_v2(old)
        for suffix in Self.logs { unlink(path + suffix) }
        guard rename(copy, path) == 0 else {
            throw DatabaseError("rename: \(String(cString: strerror(errno)))")
        }
        _ = try opened()
        return true
    }

    private func opened() throws(DatabaseError) -> OpaquePointer {
        if let connection { return connection }
        let opened = try Self.connect(path, isForPowerFailures, largestRow)
        connection = opened
        return opened
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
