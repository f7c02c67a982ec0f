import Glibc
import RxEngine
import RxStore
import TestSupport
import Testing

@Suite(.balanced) struct DatabaseTests {
    private let folder = TemporaryDirectory()
    private var path: String { "\(folder.path)/a.db" }

    @Test func storedValuesAreRead() throws {
        let database = try Database(at: path)
        try database.run("CREATE TABLE t (a, b, c, d, e)")
        let row: [DatabaseValue] = [.null, .integer(.min), .real(0.25), .text("ä\u{1F980}"), .blob([0, 255])]
        try database.transaction([("INSERT INTO t VALUES (?, ?, ?, ?, ?)", [row])])
        #expect(try database.run("SELECT * FROM t") == [row])
        #expect(try database.run("SELECT d FROM t WHERE b = ?", .integer(.min)) == [[row[3]]])
        #expect(try database.run("SELECT ?", .blob([])) == [[.blob([])]])
    }

    /// Whatever the umask is, no other user can read the files.
    @Test func filesAreForThisUserAlone() throws {
        let before = umask(0)
        defer { umask(before) }
        let database = try Database(at: path)
        try database.run("CREATE TABLE t (a)")
        for file in [path, "\(path)-wal", "\(path)-shm"] {
            var status = stat()
            #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(file)")
        }
        withExtendedLifetime(database) {}
    }

    @Test func transactionIsAtomic() throws {
        let database = try Database(at: path)
        try database.run("CREATE TABLE t (a PRIMARY KEY)")
        #expect(throws: DatabaseError.self) {
            try database.transaction([("INSERT INTO t VALUES (?)", [[.integer(1)], [.integer(2)], [.integer(1)]])])
        }
        #expect(try database.run("SELECT * FROM t").isEmpty)
        // Another transaction can follow.
        try database.transaction([("INSERT INTO t VALUES (?)", [[.integer(1)]])])
        #expect(try database.run("SELECT * FROM t") == [[.integer(1)]])
    }

    @Test func contentsSurviveReopening() throws {
        do {
            let database = try Database(at: path)
            try database.run("CREATE TABLE t (a)")
            try database.run("INSERT INTO t VALUES (7)")
        }
        #expect(try Database(at: path).run("SELECT a FROM t") == [[.integer(7)]])
    }

    /// With all of its contents, and the pending writes.
    @Test func deletedFileIsWrittenAgain() throws {
        let restored = Cell(0)
        let database = try Database(at: path, onRestore: { restored.update { $0 += 1 } })
        try database.run("PRAGMA user_version = 3")
        try database.run("CREATE TABLE t (a)")
        for round in 1...3 {
            try database.transaction([("INSERT INTO t VALUES (?)", [[.integer(Int64(round))]])])
            #expect(restored.value == round - 1)
            if round < 3 {
                for suffix in round == 1 ? [""] : ["", "-wal", "-shm"] { unlink(path + suffix) }
            }
        }
        let other = try Database(at: path)
        #expect(try other.run("SELECT a FROM t") == [[.integer(1)], [.integer(2)], [.integer(3)]])
        #expect(try other.run("PRAGMA user_version") == [[.integer(3)]])
    }

    /// Until then, writing fails, and the existing contents are kept.
    @Test func deletedFileIsWrittenAgainWhenDirectoryExists() throws {
        let inner = "\(folder.path)/inner"
        #expect(mkdir(inner, 0o700) == 0)
        let database = try Database(at: "\(inner)/a.db")
        try database.run("CREATE TABLE t (a)")
        for name in ["a.db", "a.db-wal", "a.db-shm"] { unlink("\(inner)/\(name)") }
        #expect(rmdir(inner) == 0)
        do {
            try database.transaction([("INSERT INTO t VALUES (1)", [[]])])
            Issue.record("there is no directory")
        } catch {
            #expect("\(error)".hasPrefix("'\(inner)/a.db' was deleted, and cannot be written again: "))
            #expect(!error.isDamage)
        }
        #expect(mkdir(inner, 0o700) == 0)
        try database.transaction([("INSERT INTO t VALUES (2)", [[]])])
        #expect(try Database(at: "\(inner)/a.db").run("SELECT a FROM t") == [[.integer(2)]])
    }

    @Test func replacedFileCountsAsDamaged() throws {
        let database = try Database(at: path)
        try database.run("CREATE TABLE t (a)")
        #expect(rename(path, path + ".away") == 0)
        let file = try #require(fopen(path, "w"))
        fclose(file)
        do {
            try database.transaction([("INSERT INTO t VALUES (1)", [[]])])
            Issue.record("it is another file")
        } catch {
            #expect(error.isDamage == true && "\(error)" == "the file was replaced while it was used")
        }
    }

    @Test func fileThatIsNotDatabaseIsDamaged() throws {
        let file = try #require(fopen(path, "w"))
        fputs(String(repeating: "this is not a database. ", count: 100), file)
        fclose(file)
        do {
            let database = try Database(at: path)
            try database.run("CREATE TABLE t (a)")
            Issue.record("it was taken for one")
        } catch {
            #expect(error.isDamage == true, "\(error)")
        }
    }

    @Test func failedOpenHasReason() {
        #expect(throws: DatabaseError.self) { try Database(at: "\(folder.path)/none/a.db") }
        do {
            _ = try Database(at: "\(folder.path)/none/a.db")
        } catch {
            #expect("\(error)" == "unable to open database file" && error.isDamage == false)
        }
    }

    /// As when the previous process has not quite ended.
    @Test func openingWaitsForAnotherConnection() async throws {
        let held = Cell<Database?>(try Database(at: path))
        try held.value?.run("PRAGMA locking_mode = EXCLUSIVE")
        try held.value?.run("CREATE TABLE t (a)")
        #expect(throws: DatabaseError.self) { try Database(at: path) }
        let end = ContinuousClock.now + .milliseconds(1500)
        let other = Thread { [path] in
            // Longer than SQLite's own timeout.
            while ContinuousClock.now < end { _ = access(path, F_OK) }
            held.update { $0 = nil }
        }
        _ = try Database.open(
            path, format: 1, prepare: { _ in }, onDamage: { _, _ in Issue.record("it is not damaged") })
        #expect(held.value == nil)
        other.join()
    }

    /// On a small disk in memory, if one may be mounted.
    @Test func databaseOnFullDiskRecovers() throws {
        let disk = "\(folder.path)/disk"
        mkdir(disk, 0o700)
        guard mount("tmpfs", disk, "tmpfs", 0, "size=256k") == 0 else { return }
        defer {
            umount2(disk, Int32(MNT_DETACH))
            rmdir(disk)
        }
        let prepare = { (database: Database) throws(DatabaseError) in
            _ = try database.run("CREATE TABLE IF NOT EXISTS t (a)")
        }
        func opened() throws -> Database {
            try Database.open("\(disk)/a.db", format: 1, prepare: prepare, onDamage: { Issue.record("\($0): \($1)") })
        }
        func fill() {
            let file = open("\(disk)/fill", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            let page = [UInt8](repeating: 0, count: 4096)
            while write(file, page, page.count) > 0 {}
            close(file)
        }
        fill()
        #expect(throws: DatabaseError.self) { try opened() }
        #expect(access("\(disk)/a.db", F_OK) != 0)
        unlink("\(disk)/fill")
        try opened().run("INSERT INTO t VALUES (1)")
        fill()
        let database = try opened()
        #expect(try database.run("SELECT a FROM t") == [[.integer(1)]])
        #expect(throws: DatabaseError.self) {
            try database.run("INSERT INTO t VALUES (?)", .blob([UInt8](repeating: 1, count: 99_999)))
        }
        unlink("\(disk)/fill")
        try database.run("INSERT INTO t VALUES (2)")
        #expect(try database.run("SELECT a FROM t") == [[.integer(1)], [.integer(2)]])
    }

    @Test func statementErrorHasSQLiteMessage() throws {
        let database = try Database(at: path)
        let error = #expect(throws: DatabaseError.self) { try database.run("SELEKT 1") }
        #expect(error.map { "\($0)" } == #"near "SELEKT": syntax error"#)
    }
}
