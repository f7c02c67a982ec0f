import CSQLite
import Testing

@Suite struct CSQLiteTests {
    @Test func libraryIsAtLeast3_40AndMatchesHeader() {
        #expect(sqlite3_libversion_number() >= 3_040_000)
        #expect(sqlite3_libversion_number() >= SQLITE_VERSION_NUMBER)
    }

    @Test func boundTextIsCopied() throws {
        let answer = try select("SELECT ? || '!'") { statement in
            var text = Array("before".utf8CString)
            text.withUnsafeMutableBufferPointer { text in
                #expect(rx_sqlite3_bind_text(statement, 1, text.baseAddress, -1) == SQLITE_OK)
                text.update(repeating: 0)
            }
        }
        #expect(answer == Array("before!".utf8))
    }

    @Test func boundTextHasGivenLength() throws {
        #expect(try select("SELECT ?") { rx_sqlite3_bind_text($0, 1, "before", 3) } == Array("bef".utf8))
    }

    @Test func boundBlobIsCopied() throws {
        let blob = UnsafeMutablePointer<UInt8>.allocate(capacity: 4)
        defer { blob.deallocate() }
        blob.initialize(repeating: 7, count: 4)
        let answer = try select("SELECT ?") { statement in
            #expect(rx_sqlite3_bind_blob(statement, 1, blob, 4) == SQLITE_OK)
            blob.update(repeating: 9, count: 4)
        }
        #expect(answer == [7, 7, 7, 7])
    }

    @Test func missingParameterIsError() throws {
        _ = try select("SELECT ?") { statement in
            #expect(rx_sqlite3_bind_text(statement, 2, "a", -1) == SQLITE_RANGE)
            #expect(rx_sqlite3_bind_blob(statement, 2, "a", 1) == SQLITE_RANGE)
        }
    }

    /// - Returns: the bytes of the first column of the first row.
    private func select<Ignored>(_ query: String, bind: (OpaquePointer?) -> Ignored) throws -> [UInt8] {
        var database: OpaquePointer?
        try #require(sqlite3_open(":memory:", &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        _ = bind(statement)
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        let bytes = sqlite3_column_blob(statement, 0)
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, 0))))
    }
}
