import CSQLite

/// An error of SQLite.
package struct DatabaseError: Error, Sendable, CustomStringConvertible {
    /// The message: in most cases that of SQLite.
    package let description: String
    /// Whether the file is not a database, or is damaged.
    package let isDamage: Bool
    /// Whether another connection holds a lock.
    package let isBusy: Bool
    /// Whether a file could not be created or written, as on a full disk.
    let isOutOfRoom: Bool

    /// Creates the error of a database whose content differs from what was written.
    package static func damage(_ description: String) -> DatabaseError { DatabaseError(description, SQLITE_CORRUPT) }

    init(_ status: Int32, _ connection: OpaquePointer?) {
        let text = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(status)
        self.init(text.map { String(cString: $0) } ?? "SQLite error \(status)", status)
    }

    init(_ description: String, _ status: Int32 = SQLITE_IOERR) {
        self.description = description
        isDamage = [SQLITE_CORRUPT, SQLITE_NOTADB].contains(status & 0xFF)
        isBusy = [SQLITE_BUSY, SQLITE_LOCKED].contains(status & 0xFF)
        isOutOfRoom = [SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN].contains(status & 0xFF)
    }
}
