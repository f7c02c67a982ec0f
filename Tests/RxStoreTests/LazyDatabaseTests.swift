import RxEngine
import TestSupport
import Testing

@testable import RxStore

struct LazyDatabaseTests {
    private let opened = Cell<[String]>([])
    private let results = Cell<[String]>([])
    private let cannotOpen = Cell(false)

    private func database(retryAfter: Duration = .zero) -> LazyDatabase<Int> {
        LazyDatabase(retryAfter: retryAfter) { [opened, cannotOpen] damage throws(DatabaseError) in
            opened.append(damage ?? "-")
            if cannotOpen.value { throw DatabaseError("full") }
            return opened.value.count
        } onResult: { [results] in
            results.append($0.map { "\($0)" } ?? "-")
        }
    }

    private static let damage = DatabaseError("malformed", 11)

    @Test func databaseIsOpenedOnce() throws {
        var database = database()
        #expect(!database.isOpen)
        for _ in 0..<3 { #expect(try database.use { $0 } == 1) }
        #expect(database.isOpen && opened.value == ["-"] && results.value == [])
    }

    @Test func failedOpenIsReportedOnceAndRetried() throws {
        var database = database()
        cannotOpen.update { $0 = true }
        for _ in 0..<2 { #expect(throws: DatabaseError.self) { try database.use { $0 } } }
        cannotOpen.update { $0 = false }
        #expect(try database.use { $0 } == 3)
        #expect(results.value == ["full", "-"])
    }

    @Test func failedOpenIsRememberedForSomeTime() throws {
        var database = database(retryAfter: .seconds(3600))
        cannotOpen.update { $0 = true }
        for _ in 0..<2 { #expect(throws: DatabaseError.self) { try database.use { $0 } } }
        #expect(opened.value == ["-"])
    }

    @Test func damagedDatabaseIsReopenedAtNextUse() throws {
        var database = database()
        #expect(throws: DatabaseError.self) {
            try database.use { _ throws(DatabaseError) -> Int in throw Self.damage }
        }
        #expect(!database.isOpen)
        #expect(try database.use { $0 } == 2)
        #expect(opened.value == ["-", "malformed"] && results.value == [])
    }

    @Test func damagedDatabaseIsReopenedAtOnceOnRequest() throws {
        var database = database()
        let used = try database.use(retriesDamage: true) { connection throws(DatabaseError) -> Int in
            if connection == 1 { throw Self.damage }
            return connection
        }
        #expect(used == 2 && opened.value == ["-", "malformed"])
        // Only once: a new database that is damaged as well is not repaired.
        #expect(throws: DatabaseError.self) {
            try database.use(retriesDamage: true) { _ throws(DatabaseError) -> Int in throw Self.damage }
        }
        #expect(opened.value.count == 3)
    }

    @Test func otherErrorsKeepDatabaseOpen() throws {
        var database = database()
        #expect(throws: DatabaseError.self) {
            try database.use(retriesDamage: true) { _ throws(DatabaseError) -> Int in throw DatabaseError("full") }
        }
        #expect(try database.use { $0 } == 1)
    }
}
