import CSQLite
import Glibc
import RxEngine

// Unchecked: the connection is used under the lock alone.
/// A SQLite database in a file, with a write-ahead log.
///
/// What a transaction has committed survives the process; it survives a power failure if it, or a later one, is
/// durable.
package final class Database: @unchecked Sendable {
    private let lock = Lock()
    private let connection: OpaquePointer
    /// Whether a commit waits for the disk.
    private var isDurable = true

    /// Opens the database, or makes it.
    ///
    /// Where the disk is full, it can be read all the same, and written when there is room; until it is closed, nobody
    /// else can open it then.
    package convenience init(at path: String) throws(DatabaseError) {
        // Small as it is, the log may not grow without end while nobody checkpoints it.
        let settings = [
            "journal_mode = WAL", "synchronous = FULL", "journal_size_limit = 1048576",
        ]
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let connection: OpaquePointer
        do throws(DatabaseError) {
            connection = try Self.connect(path, flags, settings)
        } catch {
            guard error.isOutOfRoom else { throw error }
            // The log's index is in memory then, and takes no room.
            let retried = try? Self.connect(path, flags, ["locking_mode = EXCLUSIVE"] + settings)
            guard let retried else { throw error }
            connection = retried
        }
        self.init(connection)
    }

    /// Opens a database to read what is left of it.
    package convenience init(reading path: String) throws(DatabaseError) {
        self.init(try Self.connect(path, SQLITE_OPEN_READONLY, []))
    }

    private init(_ connection: OpaquePointer) {
        self.connection = connection
    }

    private static func connect(
        _ path: String, _ flags: Int32, _ settings: [String]
    ) throws(DatabaseError) -> OpaquePointer {
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened, status == SQLITE_OK else {
            let error = DatabaseError(status, opened)
            sqlite3_close(opened)
            throw error
        }
        sqlite3_extended_result_codes(opened, 1)
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
            Result { () throws(DatabaseError) in try Statement(statement, connection).run(values) }
        }.get()
    }

    /// Runs a query on a damaged database.
    ///
    /// - Returns: the rows that it finds before an error, and whether there was one.
    package func readableRows(
        _ query: String, _ values: DatabaseValue...
    ) -> (rows: [[DatabaseValue]], error: DatabaseError?) {
        lock.locked {
            var rows: [[DatabaseValue]] = []
            do throws(DatabaseError) {
                try Statement(query, connection).run(values) { rows.append($0) }
                return (rows, nil)
            } catch {
                return (rows, error)
            }
        }
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
