import CSQLite

/// Something that SQLite refused.
package struct DatabaseError: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the file is no database, or a damaged one.
    package let isDamage: Bool

    init(_ status: Int32, _ connection: OpaquePointer?) {
        let text = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(status)
        description = text.map { String(cString: $0) } ?? "SQLite error \(status)"
        isDamage = [SQLITE_CORRUPT, SQLITE_NOTADB].contains(status & 0xFF)
    }
}
