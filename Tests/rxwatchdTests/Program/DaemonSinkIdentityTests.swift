import Foundation
import TestSupport
import Testing

@testable import rxwatchd

/// The identity of sinks when others are inserted, removed or moved in the pipeline.
struct DaemonSinkIdentityTests {
    private let state: StateFolder
    private var folder: String { state.path }

    init() throws {
        state = try StateFolder()
    }

    /// How the daemon receives the edited configuration.
    enum Passage: CaseIterable {
        case reload, restart, kill
    }

    struct Edit: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let before: [String]
        let after: [String]
        /// The names of the sinks after the edit, in their order.
        let names: String

        static let all = [
            Edit(testDescription: "insert", before: ["b"], after: ["a", "b"], names: "file, command-2, command"),
            Edit(testDescription: "remove", before: ["a", "b"], after: ["b"], names: "file, command-2"),
            Edit(
                testDescription: "permute", before: ["a", "b"], after: ["b", "a"], names: "file, command-2, command"),
        ]
    }

    /// A file that gets the IDs of all events at once, and commands that each write their event; `b` first waits for
    /// the file `go`.
    private func config(_ commands: [String], queue: String) -> String {
        let sinks = commands.map { name in
            let gate = name == "b" ? "until [ -e \(folder)/go ]; do sleep 0.02; done; " : ""
            let script = "\(gate)echo $RX_EVENT_ID >> \(folder)/\(name)"
            return "      - command: { run: [sh, -c, '\(script)'], queue: \(queue) }\n"
        }
        return """
            daemon: { drain: 500ms }
            sources: { tick: { interval: { every: 20ms } } }
            pipelines:
              p:
                from: tick
                to:
                  - file: { path: \(folder)/all, format: "{{$event.id}}" }
            \(sinks.joined())
            """
    }

    private func pass(_ passage: Passage, _ child: Child, _ config: ConfigFile) async throws -> Child {
        switch passage {
        case .reload:
            child.send(SIGHUP)
            try await child.said("reloaded")
            return child
        case .restart:
            child.send(SIGTERM)
            #expect(try await child.exitCode() == 0)
        case .kill:
            child.send(SIGKILL)
            _ = try? await child.exitCode()
        }
        let next = try state.child(config)
        try await next.said("ready after")
        return next
    }

    /// Each command receives its own events, each once and in order, whatever its position.
    @Test(arguments: Edit.all, Passage.allCases) func sinksKeepSpooledEvents(edit: Edit, passage: Passage) async throws
    {
        defer { state.remove() }
        let file = try ConfigFile(config(edit.before, queue: "{ disk: 1MiB }"))
        let child = try state.child(file)
        let spools = try SpoolDatabase(in: folder) { _, _ in }
        try await eventually("some events are spooled") {
            let isFirstDone = !edit.before.contains("a") || state.lines("a").count > 5
            return try isFirstDone && spools.sinks().contains { try spools.size(of: $0).count > 5 }
        }
        try file.write(config(edit.after, queue: "{ disk: 1MiB }"))
        let next = try await pass(passage, child, file)
        try await check(edit, next, after: passage)
    }

    @Test(arguments: Edit.all) func sinksKeepQueuesOverReload(edit: Edit) async throws {
        defer { state.remove() }
        let file = try ConfigFile(config(edit.before, queue: "1000"))
        let child = try state.child(file)
        try await eventually("some events are queued") { state.lines("all").count > 10 }
        try file.write(config(edit.after, queue: "1000"))
        try await check(edit, try await pass(.reload, child, file), after: .reload)
        #expect(child.errorLines.contains { $0.contains("in the order of the configuration, \(edit.names)  (p)") })
    }

    private func check(_ edit: Edit, _ child: Child, after passage: Passage) async throws {
        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        for name in edit.after {
            try await eventually("\(name) continues: \(state.lines(name))") { Set(state.lines(name)).count > 20 }
        }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let first = Array(state.lines("all").prefix(6))
        var all: [String] = []
        for name in edit.after {
            var seen: Set<String> = []
            let ids = state.lines(name).filter { seen.insert($0).inserted }
            if edit.before.contains(name) {
                #expect(Array(ids.prefix(6)) == first, "\(name)")
            } else if passage != .kill {
                // After a kill an event that was saved as unsettled is delivered again, to every sink.
                #expect(seen.isDisjoint(with: first), "\(name)")
            }
            all += state.lines(name)
        }
        // A command that is ended, at the end of the drain or by the kill, may have written its line already, and runs again.
        // That of `a` is running then if the machine is too busy for a command each 20 ms.
        let repeats = passage == .reload ? 0 : edit.before.count
        #expect(all.count - edit.after.reduce(0) { $0 + Set(state.lines($1)).count } <= repeats)
    }

    /// A long command is not ended because its neighbour changes or changes places with it.
    @Test(arguments: [true, false]) func runningCommandSurvivesEditOfNeighbour(isMoved: Bool) async throws {
        defer { state.remove() }
        let script =
            "trap \"echo ended >> \(folder)/log; exit 1\" TERM; echo begun >> \(folder)/log; "
            + "until [ -e \(folder)/go ]; do sleep 0.02; done; echo done >> \(folder)/log"
        func config(_ file: String, _ isFirst: Bool) -> String {
            let sinks = [
                "file: { path: \(folder)/\(file), format: \"{{$event.id}}\" }",
                "command: { run: [sh, -c, '\(script)'], onReplay: act }",
            ]
            return """
                daemon: { drain: 50ms, resources: 50ms }
                sources: { tick: { interval: { every: 1h, delay: 0s } } }
                pipelines: { p: { from: tick, to: [\((isFirst ? sinks : sinks.reversed()).joined(separator: ", "))] } }
                """
        }
        let file = try ConfigFile(config("first", true))
        let child = try state.child(file)
        try await eventually("the command has begun") { state.lines("log") == ["begun"] }
        for number in 1...2 {
            try file.write(config(isMoved ? "first" : "file\(number)", !isMoved || number == 2))
            child.send(SIGHUP)
            try await child.said("reloaded", times: number)
        }
        // The drain has ended long ago.
        let before = child.errorLines.count { $0.contains(" KiB resident") }
        try await child.said(" KiB resident", times: before + 10)
        #expect(state.lines("log") == ["begun"])
        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        try await child.said("command done")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(state.lines("log") == ["begun", "done"])
        #expect(!child.errorLines.contains { $0.contains("leak") || $0.contains("unfinished") })
    }
}
