import Glibc
import RxStore
import TestSupport
import Testing

@testable import rxwatchd

struct BatchDatabaseTests {
    /// A directory for one test, and the messages about its database.
    private struct Directory {
        private let directory = TemporaryDirectory()
        let damage = Cell<[String]>([])
        let results = Cell<[Bool]>([])

        var path: String { directory.path }
        var file: String { "\(path)/batches.db" }

        func open() -> BatchDatabase {
            BatchDatabase(in: path, onDamage: { [damage] aside, _ in damage.append(aside) }) { [results] error in
                results.append(error == nil)
            }
        }
    }

    @Test func partReplacesLaterParts() {
        let directory = Directory()
        do {
            let database = directory.open()
            #expect(database.all() == [:])
            for place in 0..<3 { database.store([UInt8(place)], at: place, of: "p/file") }
            database.store([9], at: 0, of: "q/file")
            #expect(database.all() == ["p/file": [[0], [1], [2]], "q/file": [[9]]])
            database.store([7], at: 1, of: "p/file")
        }
        let next = directory.open()
        #expect(next.all() == ["p/file": [[0], [7]], "q/file": [[9]]])
        next.replaceAll(with: ["q/file": [1]])
        #expect(next.all() == ["q/file": [[1]]])
        #expect(directory.results.value == [] && directory.damage.value == [])
    }

    @Test func damagedDatabaseIsSetAside() {
        let directory = Directory()
        let file = fopen(directory.file, "w")
        for _ in 0..<500 { fputs("no database ", file) }
        fclose(file)
        let database = directory.open()
        #expect(database.all() == [:])
        database.store([1], at: 0, of: "p/file")
        #expect(database.all() == ["p/file": [[1]]] && directory.results.value == [])
        #expect(directory.damage.value == ["\(directory.file).damaged"])
    }

    /// A caller that stores does not wait for it.
    @Test func databaseIsOpenedWhenPossible() async throws {
        let directory = Directory()
        mkdir(directory.file, 0o700)
        let database = directory.open()
        for place in 0..<2 { database.store([1], at: place, of: "p/file") }
        #expect(database.all() == [:] && directory.results.value == [false])
        rmdir(directory.file)
        try await eventually("the part is stored") {
            database.store([2], at: 0, of: "p/file")
            return database.all() == ["p/file": [[2]]]
        }
        #expect(directory.results.value == [false, true])
    }

    @Test func deletedDatabaseIsWrittenAgain() {
        let directory = Directory()
        let database = directory.open()
        database.store([1], at: 0, of: "p/file")
        for suffix in ["", "-wal"] { unlink(directory.file + suffix) }
        database.store([2], at: 1, of: "p/file")
        #expect(database.all() == ["p/file": [[1], [2]]] && access(directory.file, F_OK) == 0)
    }

    /// Other processes have no access meanwhile: they cannot block it.
    @Test func databaseIsLocked() throws {
        let directory = Directory()
        let database = directory.open()
        database.store([1], at: 0, of: "p/file")
        #expect(throws: DatabaseError.self) { try Database(at: directory.file).run("BEGIN IMMEDIATE") }
        database.store([2], at: 0, of: "p/file")
        #expect(database.all() == ["p/file": [[2]]] && directory.results.value == [])
    }

    /// Remaining contents would be compared with the lines of this process.
    @Test func partThatCannotBeReplacedIsRemoved() throws {
        let directory = Directory()
        do {
            let other = try Database(at: directory.file, isForPowerFailures: false)
            try other.run("CREATE TABLE batches (sink, place, part)")
            let database = directory.open()
            #expect(database.all() == [:] && access(directory.file, F_OK) == 0)
            database.replaceAll(with: [:])
            #expect(access(directory.file, F_OK) != 0 && directory.results.value == [false])
        }
        #expect(directory.open().all() == [:])
    }
}
