import Foundation
import RxEngine
import RxJQ
import RxJSON
import RxPipelines
import RxStore
import TestSupport
import Testing

@testable import rxwatchd

/// Work that one process of the daemon leaves is done by the next.
struct SnapshotTests {
    let state: StateFolder
    var folder: String { state.path }

    init() throws {
        state = try StateFolder()
    }

    /// A command that writes that it has begun, waits until the file `go` exists, and writes that it has finished.
    private var gatedCommand: String {
        "echo $RX_EVENT_ID >> \(folder)/begun; until [ -e \(folder)/go ]; do sleep 0.02; done; "
            + "echo $RX_EVENT_ID >> \(folder)/done"
    }

    /// A record and a gated command for one event.
    private func gatedConfig(drain: String = "5s") throws -> ConfigFile {
        try ConfigFile(
            """
            daemon: { drain: \(drain) }
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p: { from: tick, to: [journal: "seen {{$event.id}}", command: { run: [sh, -c, '\(gatedCommand)'] }] }
            """)
    }

    @Test func unfinishedEventsAreProcessedByNextProcess() async throws {
        defer { state.remove() }
        let config = try gatedConfig(drain: "0s")
        let first = try state.child(config)
        try await eventually("the command has begun") { state.lines("begun").count == 1 }
        let id = state.lines("begun")[0]
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        #expect(first.errorLines.contains { $0.contains("1 event was not settled; kept for the next start") })
        #expect(state.lines("done").isEmpty)

        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        let second = try state.child(config)
        try await eventually("both events are processed") { state.lines("done").count == 2 }
        #expect(
            second.errorLines.contains {
                $0.contains("1 event was not settled by the previous process; redelivering")
            })
        #expect(state.lines("done")[0] == id && state.lines("done")[1] != id)
        // Once is enough for the journal, which had finished it.
        #expect(first.errorLines.contains { $0.contains("seen \(id)") })
        #expect(!second.errorLines.contains { $0.contains("seen \(id)") })
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)

        let third = try state.child(config)
        try await third.said("ready after")
        third.send(SIGTERM)
        #expect(try await third.exitCode() == 0)
        #expect(!third.errorLines.contains { $0.contains("not settled by the previous process") })
    }

    @Test func eventsOfKilledProcessAreRedelivered() async throws {
        defer { state.remove() }
        let config = try gatedConfig()
        let first = try state.child(config)
        try await eventually("the command has begun") { state.lines("begun").count == 1 }
        let id = state.lines("begun")[0]
        let store = try SnapshotStore(in: folder) { _, _ in }
        try await eventually("the command's event is stored, and the journal sink's progress") {
            let kept = try store.snapshot().events
            return kept.map(\.event.id) == [id] && kept.map(\.progress.done) == [["p/journal": [0]]]
        }
        first.send(SIGKILL)
        _ = try? await first.exitCode()
        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        let second = try state.child(config)
        // The command of the killed process is not ended by a service manager here: it may finish, too.
        try await eventually("both events are processed") { Set(state.lines("done")).count == 2 }
        #expect(state.lines("begun").count { $0 == id } == 2)
        #expect(!second.errorLines.contains { $0.contains("seen \(id)") })
        try await eventually("no event is stored") { try store.snapshot().events.isEmpty }
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
    }

    /// Alternately stopped and killed, with a configuration in which only a sink changes: the state continues.
    @Test func stateSurvivesStopsAndKills() async throws {
        defer { state.remove() }
        let configs = try ["a", "b", "c"].map { format in
            try ConfigFile(
                """
                sources: { tick: { interval: { every: 20ms, delay: 0s } } }
                pipelines:
                  p:
                    from: tick
                    steps: [scan: { seed: 0, next: $state + 1 }]
                    to: [file: { path: \(folder)/counts, format: "\(format) {{.}}" }]
                """)
        }
        func saved() throws -> Int {
            let store = try SnapshotStore(in: folder) { _, _ in }
            return try Int(store.snapshot().nodes["p"]?.cells["0"]?.json.number ?? 0)
        }
        let first = try state.child(configs[0])
        try await eventually("the pipeline counts") { state.lines("counts").count > 5 }
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        let stopped = state.lines("counts").count
        #expect(try saved() == stopped)
        let second = try state.child(configs[1])
        try await eventually("the pipeline counts, and the count is saved") {
            try saved() > stopped && state.lines("counts").contains { $0.hasPrefix("b") }
        }
        second.send(SIGKILL)
        _ = try? await second.exitCode()
        let killed = try saved()
        // An event that the sink was processing when it was killed is redelivered.
        let open = try SnapshotStore(in: folder) { _, _ in }.snapshot().events.count { $0.progress.done.isEmpty }
        let third = try state.child(configs[2])
        try await eventually("the pipeline counts") { state.lines("counts").contains { $0.hasPrefix("c") } }
        third.send(SIGTERM)
        #expect(try await third.exitCode() == 0)
        #expect(state.lines("counts").filter { $0.hasPrefix("b") }.first == "b \(stopped + 1)")
        #expect(state.lines("counts").filter { $0.hasPrefix("c") }.first == "c \(killed + 1 - open)")
    }

    @Test func reloadFinishesRunningCommandsAndPassesQueue() async throws {
        defer { state.remove() }
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
        let child = try state.child(config)
        try await eventually("the first command runs") { state.lines("begun") == ["old 0"] }
        try await child.said("ready after")
        try config.write(text("new"))
        child.send(SIGHUP)
        try await child.said("reloaded")
        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        try await eventually("they continue: \(state.lines("done"))") {
            state.lines("done").count >= 4 && state.lines("gone") == ["x"]
        }
        let done = state.lines("done").map { $0.split(separator: " ").map(String.init) }
        #expect(done.map(\.[0]) == ["old"] + Array(repeating: "new", count: done.count - 1))
        #expect(done.map(\.[1]) == (0..<done.count).map(String.init))
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(!child.errorLines.contains { $0.contains("unfinished event") })
    }

    /// A command in a step whose output waits in a later step does not run again.
    @Test(arguments: ["concatMap", "flatMap", "flatMapFirst", "flatMapLatest"])
    func innerSourceWithStoredOutputIsNotRunAgain(step: String) async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p:
                from: tick
                steps: [\(step): { command: { run: [sh, -c, "echo $event.id >> \(folder)/ran"] }, map: $event.id }, delay: 1h]
                to: [stdout]
            """)
        for count in 1...3 {
            let child = try state.child(config)
            try await eventually("the command of the new event runs") { state.lines("ran").count >= count }
            child.send(SIGTERM)
            #expect(try await child.exitCode() == 0)
            #expect(child.errorLines.contains { $0.contains("not settled; kept for the next start") })
            #expect(state.lines("ran").count == count)
            #expect(try SnapshotStore(in: folder) { _, _ in }.snapshot().events.count == count)
        }
    }

    /// Events whose commands were ended in favour of later ones, or not begun because of an earlier one, are finished
    /// there, while another pipeline still holds them: the next process must not begin these commands after those of
    /// others.
    @Test(arguments: ["flatMapLatest", "flatMapFirst"])
    func eventsWithoutInnerSourceAreNoted(step: String) async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            sources: { tick: { interval: { every: 200ms, delay: 0s } } }
            pipelines:
              p:
                from: tick
                steps: [\(step): { command: { run: [sh, -c, "echo {{.tick}} >> \(folder)/begun; exec sleep 0.3"] } }]
                to: [stdout]
              h: { from: tick, steps: [delay: 1h], to: [stdout] }
            """)
        let child = try state.child(config)
        try await eventually("several commands have begun") { state.lines("begun").count > 2 }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let left = try SnapshotStore(in: folder) { _, _ in }.snapshot().events
        #expect(left.count > 2)
        for event in left.dropLast() { #expect(event.results.made.count == 1) }
        #expect(left.contains { $0.results.made.map(\.output) == [nil] })
    }

    @Test func reloadBeforeReadyKeepsRedeliveredEvents() async throws {
        defer { state.remove() }
        try SnapshotStore(in: folder) { _, _ in }.replace(
            with: Snapshot(events: [
                UnsettledEvent(SourceEvent("tick", run: "r", sequence: 4, time: 1, isRedelivered: true), ["tick": 4])
            ]))
        let config = try ConfigFile(
            """
            sources: { tick: { interval: 1h } }
            pipelines: { p: { from: tick, to: [command: { run: [sh, -c, 'sleep 0.1; echo $RX_EVENT_ID >> \(folder)/done'] }] } }
            """)
        let child = try state.child(config)
        try await child.said("is starting with")
        child.send(SIGHUP)
        try await child.said("ready after")
        try await eventually("the event is processed") { state.lines("done") == ["tick:r:4"] }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }

    /// A change that is found while the daemon starts, and is being delivered when it is stopped or reloaded, is not
    /// lost.
    @Test(arguments: [SIGTERM, SIGHUP]) func signalBeforeReadyKeepsChangesOfFiles(signal: Int32) async throws {
        defer { state.remove() }
        let input = "\(folder)/in"
        try FileManager.default.createDirectory(atPath: input, withIntermediateDirectories: false)
        let config = try ConfigFile(
            """
            sources: { in: { files: { paths: \(input), events: created } } }
            pipelines: { p: { from: in, to: [file: { path: \(folder)/out, format: "{{.path}}" }] } }
            """)
        let first = try state.child(config)
        try await first.said("ready after")
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        for number in 0..<3000 {
            close(open("\(input)/\(number)", O_CREAT | O_WRONLY, 0o600))
        }
        var last = try state.child(config)
        try await last.said("is starting with")
        last.send(signal)
        if signal == SIGTERM {
            #expect(try await last.exitCode() == 0)
            last = try state.child(config)
        }
        try await last.said("ready after")
        try await eventually("all are delivered: \(Set(state.lines("out")).count)") {
            Set(state.lines("out")).count == 3000
        }
        last.send(SIGTERM)
        #expect(try await last.exitCode() == 0)
        #expect(state.lines("out").count == 3000)
    }

    /// A reload has replaced the source of an event. The sink is still processing it when the daemon stops.
    @Test func eventsOfReplacedSourceAreKept() async throws {
        defer { state.remove() }
        let config = try gatedConfig(drain: "200ms")
        let text = try String(contentsOfFile: config.path, encoding: .utf8)
        let first = try state.child(config)
        try await eventually("the command has begun") { state.lines("begun").count == 1 }
        let id = state.lines("begun")[0]
        try config.write(text.replacingOccurrences(of: "delay: 0s", with: "delay: 30min"))
        first.send(SIGHUP)
        try await first.said("reloaded")
        try await eventually("the new sink has begun it") { state.lines("begun") == [id, id] }
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        #expect(first.errorLines.contains { $0.contains("1 event was not settled; kept for the next start") })

        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        let second = try state.child(config)
        try await eventually("the event is processed") { state.lines("done") == [id] }
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
    }

    /// The command of an event that another one has replaced never runs, even if other sinks hold the event.
    @Test(arguments: [("latest", ["a", "c"]), ("drop", ["a"]), ("cancel", ["a", "c"])])
    func eventReplacedInSinkIsNotRedelivered(overlap: String, expected: [String]) async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            sources: { in: { files: { paths: [\(folder)/in], events: [created] } } }
            pipelines:
              p:
                from: in
                to:
                  - command:
                      run: [sh, -c, 'echo "$1" >> \(folder)/acts; exec sleep 1', sh, '{{.path | split("/")[-1]}}']
                      overlap: \(overlap)
                  - file: { path: \(folder)/seen, format: "{{.path}}" }
              held: { from: in, steps: [delay: 1h], to: [journal: "{{.path}}"] }
            """)
        #expect(mkdir("\(folder)/in", 0o700) == 0)
        let first = try state.child(config)
        try await first.said("ready after")
        for (number, name) in ["a", "b", "c"].enumerated() {
            close(open("\(folder)/in/\(name)", O_CREAT | O_WRONLY, 0o600))
            try await eventually("the event is recorded") { state.lines("seen").count == number + 1 }
            try await eventually("the command of the first event runs") { state.lines("acts").first == "a" }
        }
        try await eventually("the command of the last event runs") { state.lines("acts").last == expected.last }
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        let before = state.lines("acts")
        #expect(before.filter { $0 != "b" } == expected)
        let second = try state.child(config)
        try await second.said("ready after")
        close(open("\(folder)/in/d", O_CREAT | O_WRONLY, 0o600))
        try await eventually("the command of the next event runs") { state.lines("acts").contains("d") }
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
        #expect(state.lines("acts") == before + ["d"])
    }

    @Test func daemonWorksWithoutStore() async throws {
        let config = try ConfigFile(
            """
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines: { p: { from: tick, to: [journal: "seen"] } }
            """)
        let child = try Child("--config", config.path, environment: ["STATE_DIRECTORY=\(folder)/none"])
        try await child.said("seen")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let store = "the database of unsettled events and state '\(folder)/none/events.db'"
        #expect(child.errorLines.contains { $0.contains("opening \(store) failed: unable to open") })
        state.remove()
    }
}
