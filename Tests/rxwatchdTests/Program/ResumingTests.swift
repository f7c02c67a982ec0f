import Foundation
import RxPipelines
import TestSupport
import Testing

@testable import rxwatchd

/// Sources that resume, in successive processes that are killed.
struct ResumingTests {
    private let state: StateFolder
    private let journal = TestJournal()
    private var folder: String { state.path }

    init() throws {
        state = try StateFolder()
    }

    private func config(_ pipelines: String, match: String = "a.service") throws -> ConfigFile {
        try ConfigFile(
            """
            sources: { log: { journal: { directory: \(journal.path), match: { _SYSTEMD_UNIT: \(match) } } } }
            pipelines:
            \(pipelines)
            """)
    }

    /// Counts the entries, and writes the number, message and ID of each.
    private func countingConfig(match: String = "a.service") throws -> ConfigFile {
        try config(
            """
              p:
                from: log
                steps: [scan: { seed: { n: 0 }, next: '{ n: ($state.n + 1), m: $value.MESSAGE }' }]
                to: [file: { path: \(folder)/seen, format: "{{.n}} {{.m}} {{$event.id}}" }]
            """, match: match)
    }

    /// The written lines, without the IDs.
    private var seen: [String] { state.lines("seen").map { $0.split(separator: " ").prefix(2).joined(separator: " ") } }
    private func id(_ line: Int) -> String {
        state.lines("seen").dropFirst(line).first?.split(separator: " ").last.map(String.init) ?? ""
    }

    /// Expects that the next processes repeat at most one line of a killed process, and that no process repeats a line.
    ///
    /// - Parameter kills: the number of lines at each kill.
    private func expectOneRepeatedLine(at kills: [Int]) {
        // The number that `scan` emits may differ.
        let lines = state.lines("seen").map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        for (start, end) in zip([0] + kills, kills + [lines.count]) {
            let written = lines[start..<end]
            #expect(Set(written).count == written.count)
            let isRepeated = written.map(Set(lines[end...]).contains)
            #expect(isRepeated.count { $0 } <= 1, "\(written) at \(start), of \(lines)")
        }
    }

    private func left() throws -> Snapshot { try SnapshotStore(in: folder) { _, _ in }.snapshot() }

    private func kill(_ child: Child) async throws {
        child.send(SIGKILL)
        _ = try? await child.exitCode()
    }

    /// Neither a damaged watch snapshot nor a pipe in its place keeps the daemon from starting.
    @Test(arguments: [false, true]) func damagedWatchSnapshotIsSetAside(isPipe: Bool) async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            sources: { in: { files: \(folder) } }
            pipelines: { p: { from: in, to: [journal: "{{.path}}"] } }
            """)
        let table = "\(folder)/files.table"
        if isPipe {
            try #require(mkfifo(table, 0o600) == 0)
        } else {
            #expect(FileManager.default.createFile(atPath: table, contents: Data("RXFT damaged".utf8)))
        }
        let child = try state.child(config)
        try await child.said(
            "the snapshot of watched files is damaged, or of another version; it is renamed to \(table).damaged")
        try await child.said("ready after")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }

    @Test func journalEntriesAreNeitherLostNorRepeated() async throws {
        defer { state.remove() }
        let config = try countingConfig()
        try journal.add(["old"])
        // Before the first snapshot with an entry: only the sink's note of it exists.
        let first = try state.child(config)
        try await first.said("ready after")
        try journal.add(["a"], at: 1)
        try await eventually("the entry is noted") { try seen == ["1 a"] && left().finished["log"]?.count == 1 }
        try await kill(first)
        try journal.add(["b"], at: 2)

        // The next process does not act again, but counts the entry. Then a snapshot has both.
        let second = try state.child(config)
        // The test must not delay the opening of the store.
        try await second.said("ready after")
        try await eventually("it is saved: \(state.lines("seen")) \(second.errorLines)", within: .seconds(20)) {
            try seen == ["1 a", "2 b"] && left().nodes["p"]?.cells["0"]?["n"]?.json == 2 && left().finished.isEmpty
        }
        try journal.add(["c"], at: 3)
        try await eventually("the entry is noted") { try seen.last == "3 c" && left().finished["log"]?.count == 1 }
        try await kill(second)

        // Killed before it is ready, it is as if it had not run.
        let third = try state.child(config)
        try await third.said("is starting")
        try await kill(third)
        try journal.add(["d"], at: 4)
        let fourth = try state.child(config)
        try await eventually("the next process continues") { seen == ["1 a", "2 b", "3 c", "4 d"] }
        fourth.send(SIGTERM)
        #expect(try await fourth.exitCode() == 0)
        try journal.add(["e"], at: 5)
        let fifth = try state.child(config)
        try await eventually("the next process continues after a stop") { seen == ["1 a", "2 b", "3 c", "4 d", "5 e"] }
        fifth.send(SIGTERM)
        #expect(try await fifth.exitCode() == 0)
        #expect(Set((0..<5).map(id)).count == 5)
        #expect(
            ![first, second, fourth, fifth].contains {
                $0.errorLines.contains { $0.contains("no longer in the journal") }
            })
    }

    /// Killed at any moment, it loses nothing, counts everything once, and gives an entry one ID.
    @Test func journalEntriesSurviveKillsAtAnyMoment() async throws {
        defer { state.remove() }
        let config = try countingConfig()
        var written = 0
        func write(_ count: Int) throws {
            try journal.add((written..<written + count).map { "\($0)" }, at: written)
            written += count
        }
        let first = try state.child(config)
        try await first.said("ready after")
        var child = first
        var kills: [Int] = []
        for round in 0..<6 {
            let before = Set(seen).count
            try write(20)
            try await eventually("some entries are written") { Set(seen).count >= before + round * 4 }
            try await kill(child)
            kills.append(seen.count)
            try write(10)
            child = try state.child(config)
        }
        try await eventually("all entries are written", within: .seconds(20)) { Set(seen).count >= written }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(Set(seen) == Set((0..<written).map { "\($0 + 1) \($0)" }))
        #expect(Set(state.lines("seen")).count == written, "each entry has one id")
        expectOneRepeatedLine(at: kills)
        #expect(try left().finished.isEmpty && left().events.isEmpty)
    }

    /// A slow command runs again under the same ID, whether or not a snapshot has its event.
    @Test(arguments: [true, false]) func killedCommandRunsAgainUnderItsID(isSaved: Bool) async throws {
        defer { state.remove() }
        let config = try config(
            """
              p:
                from: log
                to:
                  - command: { run: [sh, -c, 'echo $RX_EVENT_ID >> \(folder)/begun; until [ -e \(folder)/go ]; do sleep 0.02; done; echo $RX_EVENT_ID >> \(folder)/done'] }
                  - journal: "seen {{$event.id}}"
            """)
        let first = try state.child(config)
        try await first.said("ready after")
        try journal.add(["a"], at: 1)
        try await eventually("the command has begun") { state.lines("begun").count == 1 }
        let id = state.lines("begun").first ?? ""
        if isSaved {
            try await eventually("the event is saved") { try left().events.map(\.event.id) == [id] }
        } else {
            try await eventually("the event is noted") {
                try left().finished["log"]?.keys.contains(id) == true || !left().events.isEmpty
            }
        }
        try await kill(first)
        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        let second = try state.child(config)
        try await eventually("the command runs again") {
            state.lines("begun") == [id, id] && state.lines("done").contains(id)
        }
        try journal.add(["b"], at: 2)
        try await eventually("the next command has ended") { Set(state.lines("done")).count == 2 }
        #expect(!second.errorLines.contains { $0.contains("seen \(id)") })
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
    }

    @Test func journalWithoutPositionContinuesAtNextEntry() async throws {
        defer { state.remove() }
        let config = try countingConfig()
        let first = try state.child(config)
        try await first.said("ready after")
        try journal.add(["a"], at: 1)
        try await eventually("the entry is written") { seen == ["1 a"] }
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        try journal.add(["b"], at: 2, to: "b")
        journal.remove("a")
        let second = try state.child(config)
        try await second.said("log: the last entry that was read is no longer in the journal")
        try await eventually("the next process continues") { seen == ["1 a", "2 b"] }
        // It has a position again.
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
        let third = try state.child(config)
        try await third.said("ready after")
        try journal.add(["c"], at: 3, to: "b")
        try await eventually("the third process continues") { seen == ["1 a", "2 b", "3 c"] }
        third.send(SIGTERM)
        #expect(try await third.exitCode() == 0)
        #expect(!third.errorLines.contains { $0.contains("no longer in the journal") })
    }

    /// The position belongs to the source as it was.
    @Test func changedSourceStartsAtPresent() async throws {
        defer { state.remove() }
        let configs = [try countingConfig(), try countingConfig(match: "b.service")]
        let first = try state.child(configs[0])
        try await first.said("ready after")
        try journal.add(["a"], at: 1)
        try await eventually("the entry is noted") { try seen == ["1 a"] && left().finished["log"]?.count == 1 }
        try await kill(first)
        try journal.add(["b"], at: 2, unit: "b.service")
        let second = try state.child(configs[1])
        try await second.said("ready after")
        try journal.add(["c"], at: 3, unit: "b.service")
        try await eventually("the source starts anew") { seen == ["1 a", "1 c"] }
        try await eventually("the notes are dropped", within: .seconds(20)) {
            try left().finished["log"]?[id(0)] == nil
        }
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
    }

    // MARK: - Files

    /// Counts the changes, and writes the number, kind, name and ID of each.
    private func filesConfig(_ events: String) throws -> ConfigFile {
        try FileManager.default.createDirectory(atPath: "\(folder)/tree", withIntermediateDirectories: true)
        return try ConfigFile(
            """
            sources: { tree: { files: { paths: [\(folder)/tree], events: [\(events)] } } }
            pipelines:
              p:
                from: tree
                steps: [scan: { seed: { n: 0 }, next: '{ n: ($state.n + 1), c: "\\($value.kind)-\\($value.path | sub(".*/"; ""))" }' }]
                to: [file: { path: \(folder)/seen, format: "{{.n}} {{.c}} {{$event.id}}" }]
            """)
    }

    private func make(_ name: String) {
        // Foundation would write another file and rename it.
        close(open("\(folder)/tree/\(name)", O_CREAT | O_WRONLY, 0o600))
    }

    @Test func filesAreNeitherLostNorRepeated() async throws {
        defer { state.remove() }
        let config = try filesConfig("created, removed")
        make("old")
        let first = try state.child(config)
        try await first.said("ready after")
        make("a")
        try await eventually("the change is noted") {
            try seen == ["1 created-a"] && left().finished["tree"]?.count == 1
        }
        try await kill(first)
        make("b")
        try FileManager.default.removeItem(atPath: "\(folder)/tree/old")

        let second = try state.child(config)
        try await second.said("ready after")
        try await eventually("it continues, and that is saved: \(state.lines("seen"))", within: .seconds(20)) {
            try seen.count == 3 && left().nodes["p"]?.cells["0"]?["n"]?.json == 3 && left().finished.isEmpty
        }
        #expect(
            Set(state.lines("seen").compactMap { $0.split(separator: " ").dropFirst().first }) == [
                "created-a", "created-b", "removed-old",
            ])
        // A snapshot has all of that: none of it is emitted again.
        try await kill(second)
        make("c")
        let third = try state.child(config)
        try await eventually("the next process continues") { seen.count == 4 }
        #expect(seen.last == "4 created-c")
        third.send(SIGTERM)
        #expect(try await third.exitCode() == 0)
        make("d")
        let fourth = try state.child(config)
        try await eventually("the next process continues after a stop") { seen.count == 5 }
        #expect(seen.last == "5 created-d" && Set((0..<5).map(id)).count == 5)
        fourth.send(SIGTERM)
        #expect(try await fourth.exitCode() == 0)
    }

    /// A source that watches the same path under a changed text does not emit again what sinks had finished.
    @Test(arguments: [SIGTERM, SIGKILL]) func changedSourceRepeatsNoChange(signal: Int32) async throws {
        defer { state.remove() }
        let config = try filesConfig("created")
        let first = try state.child(config)
        try await first.said("ready after")
        make("a")
        make("b")
        try await eventually("both changes are written") { seen == ["1 created-a", "2 created-b"] }
        if signal == SIGKILL {
            try await eventually("the count is saved", within: .seconds(20)) {
                try left().nodes["p"]?.cells["0"]?["n"]?.json == 2 && left().finished.isEmpty
            }
        }
        first.send(signal)
        _ = try? await first.exitCode()
        try config.write(
            String(contentsOfFile: config.path, encoding: .utf8)
                .replacingOccurrences(of: "paths:", with: "recursive: false, paths:"))
        let second = try state.child(config)
        try await second.said("ready after")
        make("c")
        try await eventually("the new change is written") { seen.last?.hasSuffix("created-c") == true }
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
        #expect(seen == ["1 created-a", "2 created-b", "1 created-c"])
    }

    @Test func filesSurviveKillsAtAnyMoment() async throws {
        defer { state.remove() }
        let config = try filesConfig("created")
        var made = 0
        func makeSome(_ count: Int) {
            for number in made..<made + count { make("f\(number)") }
            made += count
        }
        var child = try state.child(config)
        try await child.said("ready after")
        var kills: [Int] = []
        for round in 0..<6 {
            let before = Set(seen).count
            makeSome(20)
            try await eventually("some changes are written") { Set(seen).count >= before + round * 4 }
            try await kill(child)
            kills.append(seen.count)
            makeSome(10)
            child = try state.child(config)
        }
        func names() -> Set<Substring> {
            Set(state.lines("seen").compactMap { $0.split(separator: " ").dropFirst().first })
        }
        try await eventually("all changes are written", within: .seconds(20)) { names().count >= made }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(names() == Set((0..<made).map { "created-f\($0)" }))
        let lines = Set(state.lines("seen").map { $0.split(separator: " ").dropFirst().joined(separator: " ") })
        #expect(lines.count == made, "each file has one id")
        expectOneRepeatedLine(at: kills)
        #expect(try left().nodes["p"]?.cells["0"]?["n"]?.json == .number(Double(made)))
    }
}
