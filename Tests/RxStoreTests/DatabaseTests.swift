import Glibc
import RxEngine
import RxStore
import TestSupport
import Testing

@Suite(.balanced) struct DatabaseTests {
    private let folder = StoreFolder()
    private var path: String { "\(folder.path)/a.db" }

    @Test func whatWasPutInComesOut() throws {
        let database = try Database(at: path)
        try database.run("CREATE TABLE t (a, b, c, d, e)")
        let row: [DatabaseValue] = [.null, .integer(.min), .real(0.25), .text("ä\u{1F980}"), .blob([0, 255])]
        try database.transaction([("INSERT INTO t VALUES (?, ?, ?, ?, ?)", [row])])
        #expect(try database.run("SELECT * FROM t") == [row])
        #expect(try database.run("SELECT d FROM t WHERE b = ?", .integer(.min)) == [[row[3]]])
        #expect(try database.run("SELECT ?", .blob([])) == [[.blob([])]])
    }

    @Test func aTransactionIsAllOrNothing() throws {
        let database = try Database(at: path)
        try database.run("CREATE TABLE t (a PRIMARY KEY)")
        #expect(throws: DatabaseError.self) {
            try database.transaction([("INSERT INTO t VALUES (?)", [[.integer(1)], [.integer(2)], [.integer(1)]])])
        }
        #expect(try database.run("SELECT * FROM t").isEmpty)
        // And another can follow.
        try database.transaction([("INSERT INTO t VALUES (?)", [[.integer(1)]])])
        #expect(try database.run("SELECT * FROM t") == [[.integer(1)]])
    }

    @Test func theNextOneFindsIt() throws {
        do {
            let database = try Database(at: path)
            try database.run("CREATE TABLE t (a)")
            try database.run("INSERT INTO t VALUES (7)")
        }
        #expect(try Database(at: path).run("SELECT a FROM t") == [[.integer(7)]])
    }

    @Test func whatIsNoDatabaseIsDamaged() throws {
        let file = try #require(fopen(path, "w"))
        fputs(String(repeating: "this is no database. ", count: 100), file)
        fclose(file)
        do {
            let database = try Database(at: path)
            try database.run("CREATE TABLE t (a)")
            Issue.record("it was taken for one")
        } catch {
            #expect(error.isDamage == true, "\(error)")
        }
    }

    @Test func whatCannotBeOpenedSaysWhy() {
        #expect(throws: DatabaseError.self) { try Database(at: "\(folder.path)/none/a.db") }
        do {
            _ = try Database(at: "\(folder.path)/none/a.db")
        } catch {
            #expect("\(error)" == "unable to open database file" && error.isDamage == false)
        }
    }

    @Test func aMistakeIsToldInItsWords() throws {
        let database = try Database(at: path)
        let error = #expect(throws: DatabaseError.self) { try database.run("SELEKT 1") }
        #expect(error.map { "\($0)" } == #"near "SELEKT": syntax error"#)
    }
}

/// A directory of a test's own, which goes away with the object, and all in it.
final class StoreFolder {
    let path: String

    init() {
        var template = Array("/tmp/rx-store-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    }

    deinit {
        for name in ["a.db", "a.db-wal", "a.db-shm"] { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}
