import Foundation
import RxEngine
import RxPipelines
import RxStore
import TestSupport
import Testing

@testable import rxwatchd

/// Events that wait for a sink on disk.
struct SpoolTests {
    private let state: StateFolder
    private var folder: String { state.path }

    init() throws {
        state = try StateFolder()
    }

    private func config(every period: String, command: String, queue: String = "{ disk: 1MiB }") throws -> ConfigFile {
        try ConfigFile(
            """
            daemon: { drain: 2s }
            sources: { tick: { interval: { every: \(period) } } }
            pipelines:
              p: { from: tick, to: [command: { run: [sh, -c, '\(command)'], queue: \(queue) }] }
            """)
    }

    private func spooled() throws -> Int {
        try SpoolDatabase(in: folder) { _, _ in }.size(of: "p/command").count
    }

    /// A command that notes its event when the file `go` exists.
    private var gated: String { "until [ -e \(folder)/go ]; do sleep 0.02; done; echo $RX_EVENT_ID >> \(folder)/done" }

    /// The source's events are settled once they are on disk, and each is delivered once, in order, by whichever
    /// process.
    @Test func spoolSurvivesStopsAndKills() async throws {
        defer { state.remove() }
        let fast = try config(every: "20ms", command: gated)
        let first = try state.child(fast)
        try await eventually("some are spooled") { try spooled() > 5 }
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        let stopped = try spooled()
        #expect(stopped > 5)
        #expect(!first.errorLines.contains { $0.contains("not settled; kept") })

        let second = try state.child(fast)
        try await second.said("p: command continues: \(stopped) events are spooled")
        try await eventually("more are spooled") { try spooled() > stopped + 5 }
        second.send(SIGKILL)
        _ = try? await second.exitCode()
        let killed = try spooled()

        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        let slow = try config(every: "1h", command: gated)
        let third = try state.child(slow)
        try await eventually("all are done: \(state.lines("done").count) of \(killed)") { try spooled() == 0 }
        third.send(SIGTERM)
        #expect(try await third.exitCode() == 0)
        // The command of the killed process may end, too.
        let done = state.lines("done")
        #expect(Set(done).count == killed && done.count <= killed + 2)
        var seen: Set<String> = []
        let numbers = done.filter { seen.insert($0).inserted }
            .compactMap { id in id.split(separator: ":").last.flatMap { Int($0) } }
        #expect(Array(numbers.prefix(stopped)) == Array(0..<stopped))
        #expect(Array(numbers.dropFirst(stopped)) == Array(0..<killed - stopped))
    }

    /// A reload that gives a sink a queue in memory delivers what is on disk first.
    @Test func reloadEmptiesTheSpoolOfASinkWithAQueueInMemory() async throws {
        defer { state.remove() }
        let config = try config(every: "20ms", command: "echo old $RX_SEQUENCE >> \(folder)/done; sleep 0.1")
        let child = try state.child(config)
        try await eventually("some are spooled") { try spooled() > 10 }
        try config.write(
            """
            sources: { tick: { interval: { every: 20ms } } }
            pipelines:
              p: { from: tick, to: [command: { run: [sh, -c, 'echo new $RX_SEQUENCE >> \(folder)/done'], queue: 1000 }] }
            """)
        child.send(SIGHUP)
        try await child.said("reloaded")
        try await eventually("the spool is empty") { try spooled() == 0 }
        let count = state.lines("done").count
        try await eventually("it goes on") { state.lines("done").count > count + 5 }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let numbers = state.lines("done").compactMap { line in line.split(separator: " ").last.flatMap { Int($0) } }
        #expect(numbers == Array(0..<numbers.count))
    }

    @Test func databaseKeepsTheOrderAndIgnoresRepetitions() throws {
        defer { state.remove() }
        let database = try SpoolDatabase(in: folder) { _, _ in }
        func event(_ number: UInt64, ordinal: Int = 0, again: Bool = false) -> SpooledEvent {
            SpooledEvent(
                SourceEvent("s", run: "r", sequence: number, time: 1, isRedelivered: again),
                ["n": .number(Double(number))], ordinal: ordinal,
                suffix: number == 3 ? "x" : nil)
        }
        func all(after number: Int64 = 0, limit: Int = 10) throws -> [String] {
            try database.events(of: "p/x", after: number, limit: limit)
                .map { number, event in
                    let event = try #require(event)
                    return "\(number) \(event.event.id) \(event.ordinal) \(event.suffix ?? "-") \(event.value)"
                }
        }
        try database.update("p/x", SpoolChanges(added: [event(1), event(2), event(2, ordinal: 1), event(3)]))
        try database.update("p/y", SpoolChanges(added: [event(1)]))
        try database.update("p/x", SpoolChanges(added: [event(2, again: true), event(4, again: true)]))
        let rows = try all()
        #expect(
            rows.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) } == [
                #"s:r:1 0 - {"n":1}"#, #"s:r:2 0 - {"n":2}"#, #"s:r:2 1 - {"n":2}"#, #"s:r:3 0 x {"n":3}"#,
                #"s:r:4 0 - {"n":4}"#,
            ])
        #expect(try all(limit: 2) == Array(rows.prefix(2)) && all(after: 2) == Array(rows.dropFirst(2)))
        #expect(try database.size(of: "p/x") == (5, 5 * (7 + SpooledEvent.overhead)))
        try database.update("p/x", SpoolChanges(removed: [1, 2]))
        #expect(try all() == Array(rows.dropFirst(2)) && database.size(of: "p/y").count == 1)
    }

    /// A replay has the id of an event that may be stored, too.
    @Test func replaysAreStoredBesideTheirEvents() throws {
        defer { state.remove() }
        func event(isReplayed: Bool) -> SpooledEvent {
            SpooledEvent(
                SourceEvent("s", run: "r", sequence: 1, time: 1, isRedelivered: true), 1, ordinal: 0, suffix: nil,
                isReplayed: isReplayed)
        }
        do {
            let database = try SpoolDatabase(in: state.path) { _, _ in }
            for isReplayed in [true, false, true, false] {
                try database.update("p/a", SpoolChanges(added: [event(isReplayed: isReplayed)]))
            }
        }
        let database = try SpoolDatabase(in: state.path) { _, _ in }
        #expect(try database.events(of: "p/a", after: 0, limit: 9).map(\.event?.isReplayed) == [true, false, true])
        #expect(database.latestReadAtOnce().count == 1)
        #expect(try SpoolDatabase.latest(readingIn: state.path).count == 1)
    }

    @Test func damagedSpoolIsSetAside() throws {
        defer { state.remove() }
        try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: "\(folder)/spool.db"))
        let asides = Box<[String]>([])
        let database = try SpoolDatabase(in: folder) { aside, _ in asides.append(aside) }
        #expect(asides.value == ["\(folder)/spool.db.damaged"])
        #expect(try database.size(of: "p/x") == (0, 0))
    }

    /// What a receiver of failed events has finished is not repeated because another receiver is not done.
    @Test func receiversOfAFailedEventActOnceAcrossRestarts() async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            daemon: { drain: 100ms }
            sources: { in: { files: { paths: [\(folder)/in], events: [created] } } }
            pipelines:
              p:
                from: in
                to: [command: { run: ["false"], queue: { disk: 1MiB } }]
                onError:
                  to:
                    - file: { path: \(folder)/fast, format: "{{.value.path}}" }
                    - command: { run: [sh, -c, "echo started >> \(folder)/slow; exec sleep 600"] }
            """)
        #expect(mkdir("\(folder)/in", 0o700) == 0)
        for starts in 1...3 {
            let child = try state.child(config)
            try await child.said("ready after")
            if starts == 1 { close(open("\(folder)/in/a", O_CREAT | O_WRONLY, 0o600)) }
            try await eventually("the slow receiver has begun") { state.lines("slow").count == starts }
            try await eventually("the fast receiver is done") { state.lines("fast").count == 1 }
            child.send(SIGTERM)
            #expect(try await child.exitCode() == 0)
        }
        #expect(state.lines("fast") == ["\(folder)/in/a"])
    }

    /// Events of two sinks by turns, the odd ones with values of several pages.
    private func fill(_ database: SpoolDatabase, _ count: UInt64, long: Int) throws {
        for number in 0..<count {
            let text = String(repeating: "<\(number)>", count: (number % 2 == 0 ? 100 : long) / 4)
            let event = SpooledEvent(
                SourceEvent("s", run: "r", sequence: number, time: 1), .string(text), ordinal: 0,
                suffix: nil)
            try database.update(number % 2 == 0 ? "p/a" : "p/b", SpoolChanges(added: [event]))
        }
    }

    /// Overwrites the first page of the database in which a text is, or in which there is nothing else.
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

    private func numbers(_ store: any SpoolStore, _ sink: String) throws -> [UInt64] {
        try store.events(of: sink, after: 0, limit: 100_000).compactMap { $0.event?.event.sequence }
    }

    /// The same when the store has said that it was damaged.
    private func numbers(ofDamaged store: any SpoolStore, _ sink: String) throws -> [UInt64] {
        if let numbers = try? numbers(store, sink) { return numbers }
        return try numbers(store, sink)
    }

    /// A start does not wait until a large spool is read.
    @Test func openingASpoolReadsNoEvents() throws {
        defer { state.remove() }
        try fill(try SpoolDatabase(in: folder) { _, _ in }, 2000, long: 200)
        try damage(at: "<700>")
        let database = try SpoolDatabase(in: folder) { Issue.record("\($0): \($1)") }
        #expect(try database.sinks() == ["p/a", "p/b"] && database.size(of: "p/a").count == 1000)
        #expect(throws: DatabaseError.self) { try numbers(database, "p/a") }
    }

    @Test func whatCanBeReadOfADamagedSpoolIsKept() throws {
        defer { state.remove() }
        let told = Box<[[String]]>([])
        for round in 1...2 {
            do {
                let database = try SpoolDatabase(in: folder) { told.append([$0, $1]) }
                if round == 1 { try fill(database, 2000, long: 200) }
            }
            for place in round == 1 ? [700, 1500] : [300] { try damage(at: "<\(place)>") }
            let database = LazySpools(in: folder) {
                told.append([$0, $1])
            } onResult: {
                Issue.record("\(String(describing: $0))")
            }
            let kept = [try numbers(ofDamaged: database, "p/a"), try numbers(ofDamaged: database, "p/b")]
            #expect(kept.allSatisfy { $0 == $0.sorted() && $0.count > 900 })
            for number in [0, 650, 750, 1450, 1550, 1999] as [UInt64] {
                #expect(kept[Int(number % 2)].contains(number))
            }
            #expect(!kept[0].contains(700) && !kept[0].contains(1500) && kept[0].contains(300) == (round == 1))
            #expect(told.value.count == round)
            #expect(told.value.last?.first == "\(folder)/spool.db.damaged\(round == 1 ? "" : ".2")")
            if round == 1 {
                #expect(
                    told.value.last?.last
                        == "database disk image is malformed; \(kept[0].count + kept[1].count) of its "
                        + "events are kept, and \(2000 - kept[0].count - kept[1].count) are lost "
                        + "(p/a: \(1000 - kept[0].count), p/b: \(1000 - kept[1].count))")
            }
            // What comes later is behind them.
            let next = SpooledEvent(SourceEvent("s", run: "r", sequence: 5000, time: 1), 1, ordinal: 0, suffix: nil)
            try database.update("p/a", SpoolChanges(added: [next]))
            let last = try database.events(of: "p/a", after: 2000, limit: 10)
            #expect(
                last.compactMap { $0.event?.event.sequence }.last == 5000 && last.map(\.number).allSatisfy { $0 > 2000 }
            )
        }
    }

    /// A damaged page that is not read before its event is.
    @Test func damageThatShowsLaterIsDealtWithThen() async throws {
        defer { state.remove() }
        do {
            try fill(try SpoolDatabase(in: folder) { _, _ in }, 10, long: 30_000)
        }
        try damage(at: "<5>", alone: true)
        let (told, results) = (Box<[String]>([]), Box<[String]>([]))
        let spools = LazySpools(in: folder) {
            told.append($1)
        } onResult: {
            results.append("\($0.map { "\($0)" } ?? "-")")
        }
        #expect(try numbers(spools, "p/a") == [0, 2, 4, 6, 8] && told.value == [])
        #expect(throws: DatabaseError.self) { try numbers(spools, "p/b") }
        #expect(try numbers(spools, "p/b") == [1, 3, 7, 9])
        // The other sink hears of it, too: what it knows of its events may be wrong.
        #expect(throws: DatabaseError.self) { try numbers(spools, "p/a") }
        #expect(try numbers(spools, "p/a") == [0, 2, 4, 6, 8])
        #expect(
            told.value == [
                "database disk image is malformed; 9 of its events are kept, and 1 are lost (p/b: 1)"
            ])
        #expect(results.value == [])
    }

    /// Whoever asks at a start or a reload does not wait for the repair of a spool, which may take long.
    @Test(arguments: ["by_sink", "sqlite_schema"])
    func damagedSpoolIsNotRepairedAtTheStart(root: String) throws {
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
        // Of the first page all but the header of the file.
        let start = page == 1 ? 100 : Int(page - 1) * 4096
        data.replaceSubrange(start..<Int(page) * 4096, with: Data(repeating: 0xFF, count: Int(page) * 4096 - start))
        try data.write(to: url)
        let told = Box<[String]>([])
        let spools = LazySpools(in: folder) {
            told.append($1)
        } onResult: { _ in
        }
        #expect(spools.sinksReadAtOnce() == nil && told.value == [])
        #expect(try numbers(ofDamaged: spools, "p/a").count == (page == 1 ? 0 : 50) && told.value.count == 1)
        #expect(spools.sinksReadAtOnce() == (page == 1 ? [] : ["p/a", "p/b"]))
    }

    @Test func spoolThatCannotBeOpenedIsOpenedLater() async throws {
        defer { state.remove() }
        let later = "\(folder)/later"
        let results = Box<[String]>([])
        let spools = LazySpools(in: later) {
            Issue.record("\($0): \($1)")
        } onResult: {
            results.append($0.map { "\($0)" } ?? "-")
        }
        #expect(try spools.size(of: "p/a") == (0, 0) && numbers(spools, "p/a") == [] && spools.sinks() == [])
        let changes = SpoolChanges(
            added: [SpooledEvent(SourceEvent("s", run: "r", sequence: 1, time: 1), 1, ordinal: 0, suffix: nil)])
        #expect(throws: DatabaseError.self) { try spools.update("p/a", changes) }
        try FileManager.default.createDirectory(atPath: later, withIntermediateDirectories: false)
        try await eventually("it is open") { (try? spools.update("p/a", changes)) != nil }
        #expect(try numbers(spools, "p/a") == [1])
        #expect(results.value == ["unable to open database file", "-"])
    }

    /// The daemon starts, its sinks work, and when the stores can be opened, they are used.
    @Test func daemonOpensItsStoresWhenTheyCanBe() async throws {
        defer { state.remove() }
        let later = "\(folder)/later"
        let config = try config(every: "20ms", command: gated)
        let child = try Child("--config", config.path, environment: ["STATE_DIRECTORY=\(later)"])
        try await child.said("opening the spool database failed, retrying: unable to open database file")
        try await child.said("p: command spool failed, retrying: unable to open database file; events wait in memory")
        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        try await eventually("events go to the sink from memory") { state.lines("done").count > 2 }
        try FileManager.default.removeItem(atPath: "\(folder)/go")
        try FileManager.default.createDirectory(atPath: later, withIntermediateDirectories: false)
        try await child.said("the spool database is open now")
        try await child.said("saving unsettled events and state works again")
        try await eventually("events are spooled") {
            try SpoolDatabase(in: later) { _, _ in }.size(of: "p/command").count > 5
        }
        let before = Set(state.lines("done"))
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(!child.errorLines.contains { $0.contains("lost") })
        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        let slow = try self.config(every: "1h", command: gated)
        let next = try Child("--config", slow.path, environment: ["STATE_DIRECTORY=\(later)"])
        try await eventually("the others are done") {
            try SpoolDatabase(in: later) { _, _ in }.size(of: "p/command").count == 0
        }
        next.send(SIGTERM)
        #expect(try await next.exitCode() == 0)
        let done = state.lines("done")
        #expect(Set(done).count == done.count && before.isSubset(of: done))
        let numbers = Set(done.compactMap { $0.split(separator: ":").last.flatMap { Int($0) } })
        #expect(numbers == Set(0..<numbers.count))
    }

    /// Without a state directory events wait in memory.
    @Test func sinkWorksWithoutASpool() async throws {
        defer { state.remove() }
        let config = try config(every: "20ms", command: "echo x >> \(folder)/done")
        let child = try Child("--config", config.path)
        try await child.said("p: command cannot spool without a state directory; events wait in memory")
        try await eventually("it works") { state.lines("done").count > 2 }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }
}
