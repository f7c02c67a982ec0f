import Foundation
import RxEngine
import RxJSON
import RxPipelines
import RxStore
import TestSupport
import Testing

@testable import rxwatchd

/// Damaged spools.
extension SpoolTests {
    @Test func damagedSpoolIsSetAside() throws {
        defer { state.remove() }
        try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: "\(folder)/spool.db"))
        let asides = Cell<[String]>([])
        let database = try SpoolDatabase(in: folder) { aside, _ in asides.append(aside) }
        #expect(asides.value == ["\(folder)/spool.db.damaged"])
        #expect(try database.size(of: "p/x") == (0, 0))
    }

    /// Alternating events of two sinks, the odd ones with values of several pages.
    private func fill(_ database: SpoolDatabase, _ count: UInt64, long: Int) throws {
        for number in 0..<count {
            let text = String(repeating: "<\(number)>", count: (number % 2 == 0 ? 100 : long) / 4)
            let event = SpooledEvent(
                SourceEvent("s", run: "r", sequence: number, time: 1), .string(text), ordinal: 0,
                suffix: nil)
            try database.update(number % 2 == 0 ? "p/a" : "p/b", SpoolChanges(added: [event]))
        }
    }

    /// Overwrites the first page of the database that contains a text, or that contains nothing else.
    private func damage(at text: String, alone isAlone: Bool = false) throws {
        let url = URL(fileURLWithPath: "\(folder)/spool.db")
        var data = try Data(contentsOf: url)
        let place = stride(from: 0, to: data.count, by: 4096).first { place in
            let page = data[place..<place + 4096]
            return isAlone
                ? Set(page.dropFirst(4).prefix(4000)) == Set(text.utf8) : page.range(of: Data(text.utf8)) != nil
        }
        let found = try #require(place)
        data.replaceSubrange(found..<found + 4096, with: Data(repeating: 0xFF, count: 4096))
        try data.write(to: url)
    }

    /// A start does not wait until a large spool is read.
    @Test func openingSpoolReadsNoEvents() throws {
        defer { state.remove() }
        try fill(try SpoolDatabase(in: folder) { _, _ in }, 2000, long: 200)
        try damage(at: "<700>")
        let database = try SpoolDatabase(in: folder) { Issue.record("\($0): \($1)") }
        #expect(try database.sinks() == ["p/a", "p/b"] && database.size(of: "p/a").count == 1000)
        #expect(throws: DatabaseError.self) { try numbers(database, "p/a") }
    }

    @Test func readableEventsOfDamagedSpoolAreKept() throws {
        defer { state.remove() }
        let reports = Cell<[[String]]>([])
        for round in 1...2 {
            do {
                let database = try SpoolDatabase(in: folder) { reports.append([$0, $1]) }
                if round == 1 { try fill(database, 2000, long: 200) }
            }
            for place in round == 1 ? [700, 1500] : [300] { try damage(at: "<\(place)>") }
            let database = LazySpoolDatabase(in: folder) {
                reports.append([$0, $1])
            } onResult: {
                Issue.record("\(String(describing: $0))")
            }
            let kept = [try numbers(ofDamaged: database, "p/a"), try numbers(ofDamaged: database, "p/b")]
            #expect(kept.allSatisfy { $0 == $0.sorted() && $0.count > 900 })
            for number in [0, 650, 750, 1450, 1550, 1999] as [UInt64] {
                #expect(kept[Int(number % 2)].contains(number))
            }
            #expect(!kept[0].contains(700) && !kept[0].contains(1500) && kept[0].contains(300) == (round == 1))
            #expect(reports.value.count == round)
            #expect(reports.value.last?.first == "\(folder)/spool.db.damaged\(round == 1 ? "" : ".2")")
            if round == 1 {
                #expect(
                    reports.value.last?.last
                        == "database disk image is malformed; \(kept[0].count + kept[1].count) of its "
                        + "events are kept, and \(2000 - kept[0].count - kept[1].count) are lost "
                        + "(p/a: \(1000 - kept[0].count), p/b: \(1000 - kept[1].count))")
            }
            // Later events follow them.
            let next = SpooledEvent(SourceEvent("s", run: "r", sequence: 5000, time: 1), 1, ordinal: 0, suffix: nil)
            try database.update("p/a", SpoolChanges(added: [next]))
            let last = try database.events(of: "p/a", after: 2000, limit: 10)
            #expect(
                last.compactMap { $0.event?.event.sequence }.last == 5000 && last.map(\.number).allSatisfy { $0 > 2000 }
            )
        }
    }

    /// A damaged page that is not read before its event is.
    @Test func damageFoundLaterIsRepairedThen() async throws {
        defer { state.remove() }
        do {
            try fill(try SpoolDatabase(in: folder) { _, _ in }, 10, long: 30_000)
        }
        try damage(at: "<5>", alone: true)
        let (reports, results) = (Cell<[String]>([]), Cell<[String]>([]))
        let spools = LazySpoolDatabase(in: folder) {
            reports.append($1)
        } onResult: {
            results.append("\($0.map { "\($0)" } ?? "-")")
        }
        #expect(try numbers(spools, "p/a") == [0, 2, 4, 6, 8] && reports.value == [])
        #expect(throws: DatabaseError.self) { try numbers(spools, "p/b") }
        #expect(try numbers(spools, "p/b") == [1, 3, 7, 9])
        // The other sink is notified, too: its knowledge of its events may be wrong.
        #expect(throws: DatabaseError.self) { try numbers(spools, "p/a") }
        #expect(try numbers(spools, "p/a") == [0, 2, 4, 6, 8])
        #expect(
            reports.value == [
                "database disk image is malformed; 9 of its events are kept, and 1 are lost (p/b: 1)"
            ])
        #expect(results.value == [])
    }

    /// A request at a start or a reload does not wait for the repair of a spool, which may take long.
    @Test(arguments: ["by_sink", "sqlite_schema"])
    func damagedSpoolIsNotRepairedAtStart(root: String) throws {
        defer { state.remove() }
        let page: Int64
        do {
            try fill(try SpoolDatabase(in: folder) { _, _ in }, 100, long: 200)
            let database = try Database(at: "\(folder)/spool.db")
            let row = try database.run("SELECT rootpage FROM sqlite_schema WHERE name = ?", .text(root)).first
            page = row?.first?.integer ?? 1
        }
        let url = URL(fileURLWithPath: "\(folder)/spool.db")
        var data = try Data(contentsOf: url)
        // All of the first page except the header of the file.
        let start = page == 1 ? 100 : Int(page - 1) * 4096
        data.replaceSubrange(start..<Int(page) * 4096, with: Data(repeating: 0xFF, count: Int(page) * 4096 - start))
        try data.write(to: url)
        let reports = Cell<[String]>([])
        let spools = LazySpoolDatabase(in: folder) {
            reports.append($1)
        } onResult: { _ in
        }
        #expect(spools.sinksReadAtOnce() == nil && reports.value == [])
        #expect(try numbers(ofDamaged: spools, "p/a").count == (page == 1 ? 0 : 50) && reports.value.count == 1)
        #expect(spools.sinksReadAtOnce() == (page == 1 ? [] : ["p/a", "p/b"]))
    }

    /// A command of the daemon could have written any number.
    @Test func highestNumberIsSalvaged() throws {
        defer { state.remove() }
        try fill(try SpoolDatabase(in: folder) { _, _ in }, 3, long: 10)
        do {
            let database = try Database(at: "\(folder)/spool.db")
            try database.run("UPDATE spool SET number = 9223372036854775807 WHERE number = 3")
            try database.run("UPDATE spool SET failure = zeroblob(200000000) WHERE number = 1")
        }
        let reports = Cell<[String]>([])
        let spools = try SpoolDatabase(in: folder, damage: "for a test") { reports.append($1) }
        #expect(reports.value.count == 1)
        #expect(try spools.sinks().count == 2)
    }

    /// All columns count, not only the value.
    @Test func largeFailuresAreReadOneByOne() throws {
        defer { state.remove() }
        let spools = try SpoolDatabase(in: folder) { _, _ in }
        try fill(spools, 8, long: 10)
        try Database(at: "\(folder)/spool.db").run("UPDATE spool SET failure = zeroblob(100000)")
        #expect(try spools.events(of: "p/a", after: 0, limit: 100, bytes: 150_000).count == 2)
        #expect(try spools.events(of: "p/a", after: 0, limit: 100, bytes: 1 << 20).count == 4)
    }
}
