import Foundation
import RxEngine
import RxJSON
import RxPipelines
import RxStore
import TestSupport
import Testing

@testable import rxwatchd

/// Events that wait on disk for a sink.
struct SpoolTests {
    let state: StateFolder
    var folder: String { state.path }

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

    /// A command that writes its event when the file `go` exists.
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
        try await eventually("all are done: \(state.lines("done").count) of \(killed)", within: .seconds(30)) {
            try spooled() == 0
        }
        third.send(SIGTERM)
        #expect(try await third.exitCode() == 0)
        // The command of the killed process may finish, too.
        let done = state.lines("done")
        #expect(Set(done).count == killed && done.count <= killed + 2)
        var seen: Set<String> = []
        let numbers = done.filter { seen.insert($0).inserted }
            .compactMap { id in id.split(separator: ":").last.flatMap { Int($0) } }
        #expect(Array(numbers.prefix(stopped)) == Array(0..<stopped))
        #expect(Array(numbers.dropFirst(stopped)) == Array(0..<killed - stopped))
    }

    /// A reload that gives a sink a queue in memory delivers the events on disk first.
    @Test func reloadToMemoryQueueEmptiesSpool() async throws {
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
        try await eventually("it continues") { state.lines("done").count > count + 5 }
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

    /// At most this many bytes of all columns, but always at least one event.
    @Test func batchesAreBoundedByBytes() throws {
        defer { state.remove() }
        let database = try SpoolDatabase(in: folder) { _, _ in }
        let text = JSON.string(String(repeating: "x", count: 999_998))
        let events = (1...6).map { number in
            SpooledEvent(SourceEvent("s", run: "r", sequence: UInt64(number), time: 1), text, ordinal: 0, suffix: nil)
        }
        try database.update("p/x", SpoolChanges(added: events))
        for (bytes, count) in [(0, 1), (1, 1), (1_000_002, 1), (1_000_003, 2), (2 << 20, 3), (.max, 6)] {
            #expect(try database.events(of: "p/x", after: 0, limit: 100, bytes: bytes).count == count, "\(bytes)")
        }
        #expect(try database.events(of: "p/x", after: 4, limit: 100, bytes: 2 << 20).map(\.number) == [5, 6])
        #expect(try database.events(of: "p/x", after: 0, limit: 2, bytes: 2 << 20).count == 2)
    }

    /// A replay has the ID of an event that may be stored, too.
    @Test func replaysAreStoredApartFromEvents() throws {
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

    /// Work that a receiver of failed events has finished is not repeated because another receiver has not finished.
    @Test func receiversOfFailedEventActOnceAcrossRestarts() async throws {
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

    func numbers(_ store: any SpoolStore, _ sink: String) throws -> [UInt64] {
        try store.events(of: sink, after: 0, limit: 100_000, bytes: .max).compactMap { $0.event?.event.sequence }
    }

    /// The same after the store has reported the damage.
    func numbers(ofDamaged store: any SpoolStore, _ sink: String) throws -> [UInt64] {
        if let numbers = try? numbers(store, sink) { return numbers }
        return try numbers(store, sink)
    }

    @Test func spoolIsOpenedWhenPossible() async throws {
        defer { state.remove() }
        let later = "\(folder)/later"
        let results = Cell<[String]>([])
        let spools = LazySpoolDatabase(in: later) {
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

    /// The daemon starts, its sinks work, and the stores are used once they can be opened.
    @Test func daemonOpensStoresWhenPossible() async throws {
        defer { state.remove() }
        let later = "\(folder)/later"
        let config = try config(every: "20ms", command: gated)
        let child = try Child("--config", config.path, environment: ["STATE_DIRECTORY=\(later)"])
        try await child.said(
            "opening the spool database '\(later)/spool.db' failed, retrying: unable to open database file")
        try await child.said("p: command spool failed, retrying: unable to open database file; events wait in memory")
        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        try await eventually("events go to the sink from memory") { state.lines("done").count > 2 }
        try FileManager.default.removeItem(atPath: "\(folder)/go")
        try FileManager.default.createDirectory(atPath: later, withIntermediateDirectories: false)
        try await child.said("the spool database '\(later)/spool.db' is open now")
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
        // Read only: opening the database as the daemon does would lock it, and delay the daemon.
        try await eventually("the others are done") { try SpoolDatabase.sinks(readingIn: later).isEmpty }
        next.send(SIGTERM)
        #expect(try await next.exitCode() == 0)
        let done = state.lines("done")
        #expect(Set(done).count == done.count && before.isSubset(of: done))
        let numbers = Set(done.compactMap { $0.split(separator: ":").last.flatMap { Int($0) } })
        #expect(numbers == Set(0..<numbers.count))
    }

    /// Without a state directory events wait in memory.
    @Test func sinkWorksWithoutSpool() async throws {
        defer { state.remove() }
        let config = try config(every: "20ms", command: "echo x >> \(folder)/done")
        let child = try Child("--config", config.path)
        try await child.said("p: command cannot spool without a state directory; events wait in memory; set STATE")
        try await eventually("it works") { state.lines("done").count > 2 }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }
}
