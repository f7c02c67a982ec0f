import Foundation
import RxEngine
import RxPipelines
import TestSupport
import Testing

@testable import rxwatchd

/// What one process of the daemon leaves, the next one does.
struct UnsettledTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rx-unsettled-\(UUID())").path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    private func lines(_ name: String) -> [String] {
        let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// A command that notes that it has begun, waits until the file `go` exists, and notes that it is done.
    private var gatedCommand: String {
        "echo $RX_EVENT_ID >> \(folder)/begun; until [ -e \(folder)/go ]; do sleep 0.02; done; "
            + "echo $RX_EVENT_ID >> \(folder)/done"
    }

    private func child(_ config: ConfigFile) throws -> Child {
        try Child("--config", config.path, environment: ["STATE_DIRECTORY=\(folder)"])
    }

    @Test func whatIsNotDoneIsDoneByTheNextProcess() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let config = try ConfigFile(
            """
            daemon: { drain: 0s }
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p: { from: tick, to: [journal: "told {{$event.id}}", command: { run: [sh, -c, '\(gatedCommand)'] }] }
            """)
        let first = try child(config)
        try await eventually("the command has begun") { lines("begun").count == 1 }
        let id = lines("begun")[0]
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        #expect(first.errorLines.contains { $0.contains("1 event was not settled; kept for the next start") })
        #expect(lines("done").isEmpty)

        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        let second = try child(config)
        try await eventually("both are done") { lines("done").count == 2 }
        #expect(
            second.errorLines.contains {
                $0.contains("1 event was not settled by the previous process; redelivering")
            })
        #expect(lines("done")[0] == id && lines("done")[1] != id)
        // Once is enough for the journal, which was done with it.
        #expect(first.errorLines.contains { $0.contains("told \(id)") })
        #expect(!second.errorLines.contains { $0.contains("told \(id)") })
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)

        let third = try child(config)
        try await third.said("ready after")
        third.send(SIGTERM)
        #expect(try await third.exitCode() == 0)
        #expect(!third.errorLines.contains { $0.contains("not settled by the previous process") })
    }

    @Test func eventsOfAKilledProcessAreRedelivered() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let config = try ConfigFile(
            """
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p: { from: tick, to: [journal: "told {{$event.id}}", command: { run: [sh, -c, '\(gatedCommand)'] }] }
            """)
        let first = try child(config)
        try await eventually("the command has begun") { lines("begun").count == 1 }
        let id = lines("begun")[0]
        let store = try UnsettledStore(in: folder) { _, _ in }
        try await eventually("it is kept, and what the journal has done") {
            let kept = try store.events()
            return kept.map(\.event.id) == [id] && kept.map(\.progress.done) == [["p/journal": [0]]]
        }
        first.send(SIGKILL)
        _ = try? await first.exitCode()
        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        let second = try child(config)
        // The command of the killed process is not the service manager's here: it may end, too.
        try await eventually("both are done") { Set(lines("done")).count == 2 }
        #expect(lines("begun").count { $0 == id } == 2)
        #expect(!second.errorLines.contains { $0.contains("told \(id)") })
        try await eventually("nothing is left") { try store.events().isEmpty }
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
    }

    @Test func reloadFinishesRunningCommandsAndPassesTheQueueOn() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func text(_ name: String) -> String {
            """
            sources: { tick: { interval: { every: 300ms, delay: 0s } } }
            pipelines:
              p:
                from: tick
                to:
                  - command:
                      run: [sh, -c, 'echo \(name) $RX_SEQUENCE >> begun; until [ -e go ]; do sleep 0.02; done; echo \(name) $RX_SEQUENCE >> done']
                      directory: \(folder)
              gone\(name): { from: tick, steps: [take: 1], to: [command: { run: [sh, -c, 'until [ -e go ]; do sleep 0.02; done; echo x >> gone'], directory: \(folder) }] }
            """
        }
        let config = try ConfigFile(text("old"))
        let child = try child(config)
        try await eventually("it is at the first") { lines("begun") == ["old 0"] }
        try await child.said("ready after")
        try config.write(text("new"))
        child.send(SIGHUP)
        try await child.said("reloaded")
        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        try await eventually("they go on: \(lines("done"))") { lines("done").count >= 4 && lines("gone") == ["x"] }
        let done = lines("done").map { $0.split(separator: " ").map(String.init) }
        #expect(done.map(\.[0]) == ["old"] + Array(repeating: "new", count: done.count - 1))
        #expect(done.map(\.[1]) == (0..<done.count).map(String.init))
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(!child.errorLines.contains { $0.contains("unfinished event") })
    }

    @Test func reloadBeforeReadyKeepsRedeliveredEvents() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try UnsettledStore(in: folder) { _, _ in }.replace(with: [
            UnsettledEvent(SourceEvent("tick", run: "r", sequence: 4, time: 1, isRedelivered: true), ["tick": 4])
        ])
        let config = try ConfigFile(
            """
            sources: { tick: { interval: 1h } }
            pipelines: { p: { from: tick, to: [command: { run: [sh, -c, 'sleep 0.1; echo $RX_EVENT_ID >> \(folder)/done'] }] } }
            """)
        let child = try child(config)
        try await child.said("is starting with")
        child.send(SIGHUP)
        try await child.said("ready after")
        try await eventually("it is done") { lines("done") == ["tick:r:4"] }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }

    @Test func keepStoresTheDifference() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try UnsettledStore(in: folder) { _, _ in }
        func event(_ number: UInt64, done: [String: Set<Int>] = [:]) -> UnsettledEvent {
            UnsettledEvent(SourceEvent("s", run: "r", sequence: number, time: 1), .null, SinkProgress(done: done))
        }
        func settled(_ ids: [String]) async throws {
            try await eventually("\(ids) are kept") { try store.events().map(\.event.id) == ids }
        }
        func keep(_ events: UnsettledEvent..., in store: UnsettledStore) async throws {
            let isDone = Box(false)
            // Not while the one before is being written.
            try await eventually("it takes them") { store.keep(events) { _ in isDone.update { $0 = true } } }
            try await eventually("it is done") { isDone.value }
        }
        try await keep(event(0), event(1), in: store)
        try await settled(["s:r:0", "s:r:1"])
        try await keep(event(1, done: ["p/x": [0]]), event(2), in: store)
        try await settled(["s:r:1", "s:r:2"])
        #expect(try store.events().map(\.progress.done) == [["p/x": [0]], [:]])
        store.forget(event(1).event)
        try await keep(event(2), event(1), in: store)
        try await settled(["s:r:1", "s:r:2"])
        // Another process that begins with what is there does the same.
        let other = try UnsettledStore(in: folder) { _, _ in }
        try await keep(event(2), in: other)
        try await settled(["s:r:2"])
        try await keep(in: other)
        try await settled([])
        // After the final write nothing is stored.
        try other.replace(with: [event(5)])
        try await eventually("it takes them") { other.keep([event(6)]) }
        try await eventually("it is done with that") { other.keep([]) }
        #expect(try other.events().map(\.event.id) == ["s:r:5"])
    }

    /// Nothing is lost where the process is killed before it has done what it was left.
    @Test func whatWasLeftStaysUntilItIsSettled() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try UnsettledStore(in: folder) { _, _ in }
        let events = (0..<3 as Range<UInt64>).map { number in
            UnsettledEvent(
                SourceEvent("tick", run: "r", sequence: number, time: 1, isRedelivered: true),
                ["n": .number(Double(number))], SinkProgress(done: number == 1 ? ["p/journal": [0, 2]] : [:]))
        }
        try store.replace(with: events)
        #expect(try store.events().map(\.event.id) == ["tick:r:0", "tick:r:1", "tick:r:2"])
        #expect(try store.events().map(\.value) == events.map(\.value))
        #expect(try store.events().map(\.progress) == events.map(\.progress))
        #expect(try store.events().allSatisfy(\.event.isRedelivered))
        store.forget(events[0].event)
        store.forget(events[2].event)
        try await eventually("they are forgotten") { try store.events().count == 1 }
        #expect(try UnsettledStore(in: folder) { _, _ in }.events().map(\.event.id) == ["tick:r:1"])
        try store.replace(with: [])
        #expect(try store.events().isEmpty)
    }

    @Test func aDamagedStoreIsSetAside() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: "\(folder)/events.db"))
        let told = Box<[String]>([])
        let store = try UnsettledStore(in: folder) { aside, _ in told.append(aside) }
        #expect(told.value == ["\(folder)/events.db.damaged"] && FileManager.default.fileExists(atPath: told.value[0]))
        #expect(try store.events().isEmpty)
    }

    /// Nothing of a store that cannot be used keeps the daemon from its work.
    @Test func itWorksWithoutAStore() async throws {
        let config = try ConfigFile(
            """
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines: { p: { from: tick, to: [journal: "told"] } }
            """)
        let child = try Child("--config", config.path, environment: ["STATE_DIRECTORY=\(folder)/none"])
        try await child.said("told")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(
            child.errorLines.contains { $0.contains("opening the store of unsettled events failed: unable to open") })
        try? FileManager.default.removeItem(atPath: folder)
    }
}
