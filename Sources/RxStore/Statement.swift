import CSQLite

/// A compiled statement.
final class Statement {
    private let connection: OpaquePointer
    private let statement: OpaquePointer

    init(_ text: String, _ connection: OpaquePointer) throws(DatabaseError) {
        var compiled: OpaquePointer?
        let status = sqlite3_prepare_v2(connection, text, -1, &compiled, nil)
        guard let compiled, status == SQLITE_OK else { throw DatabaseError(status, connection) }
        (self.connection, statement) = (connection, compiled)
    }

    deinit {
        sqlite3_finalize(statement)
    }

    /// Runs the statement with these values bound to its question marks.
    func run(_ values: [DatabaseValue]) throws(DatabaseError) -> [[DatabaseValue]] {
        var rows: [[DatabaseValue]] = []
        try run(values) { row throws(DatabaseError) in
            rows.append(row)
            return true
        }
        return rows
    }

    /// Runs the statement, and calls `receive` with each row before an error, until it returns `false`.
    func run(
        _ values: [DatabaseValue], _ receive: ([DatabaseValue]) throws(DatabaseError) -> Bool
    ) throws(DatabaseError) {
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (offset, value) in values.enumerated() { try bind(value, at: Int32(offset + 1)) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                guard try receive((0..<sqlite3_column_count(statement)).map { column($0) }) else { return }
            case SQLITE_DONE: return
            // A row in the file that is larger than any that was stored.
            case SQLITE_TOOBIG where sqlite3_stmt_readonly(statement) != 0:
                throw .damage("a row is larger than the limit")
            case let status: throw DatabaseError(status, connection)
            }
        }
    }

    private func bind(_ value: DatabaseValue, at index: Int32) throws(DatabaseError) {
        let status =
            switch value {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
            case .real(let real): sqlite3_bind_double(statement, index, real)
            case .text(let text): rx_sqlite3_bind_text(statement, index, text, -1)
            // An empty array has no address, and SQLite would bind NULL for it.
            case .blob(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(statement, index, 0)
            case .blob(let bytes): rx_sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count))
            }
        if status != SQLITE_OK { throw DatabaseError(status, connection) }
    }

    private func column(_ index: Int32) -> DatabaseValue {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT: .text(sqlite3_column_text(statement, index).map { String(cString: $0) } ?? "")
        case SQLITE_BLOB: .blob(bytes(at: index))
        default: .null
        }
    }

    private func bytes(at index: Int32) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(statement, index))
        guard let start = sqlite3_column_blob(statement, index) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
