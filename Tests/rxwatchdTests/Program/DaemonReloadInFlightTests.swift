import Foundation
import TestSupport
import Testing

@testable import rxwatchd

/// Commands in steps, through reloads that change the steps.
struct DaemonReloadInFlightTests {
    private let state: StateFolder

    init() throws {
        state = try StateFolder()
    }

    /// A queue of commands, each of which waits until the file `go` exists.
    private func text(_ name: String, drain: String) -> String {
        let command =
            "echo \(name) {{.path}} >> \(state.path)/begun; until [ -e \(state.path)/go ]; do sleep 0.02; done; "
            + "echo \(name) {{.path}} >> \(state.path)/done"
        return """
            daemon: { drain: \(drain) }
            sources: { in: { files: { paths: \(state.path)/in, events: created } } }
            pipelines:
              p:
                from: in
                steps: [concatMap: { command: { run: [sh, -c, "\(command)"] } }, tag: \(name)]
                to: [file: { path: \(state.path)/out, format: "\(name)" }]
            """
    }

    private func create(_ name: String) {
        close(open("\(state.path)/\(name)", O_CREAT | O_WRONLY, 0o644))
    }

    private func files(_ name: String, _ numbers: ClosedRange<Int>) -> [String] {
        numbers.map { "\(name) \(state.path)/in/\($0)" }
    }

    /// A daemon with five files that is working on the first one.
    private func child(_ config: ConfigFile) async throws -> Child {
        try FileManager.default.createDirectory(atPath: "\(state.path)/in", withIntermediateDirectories: false)
        let child = try state.child(config)
        try await child.said("ready after")
        for number in 1...5 { create("in/\(number)") }
        try await eventually("the first command runs") { state.lines("begun").count == 1 }
        return child
    }

    @Test func queuedCommandsOfStepFinishWithinDrain() async throws {
        defer { state.remove() }
        let config = try ConfigFile(text("old", drain: "60s"))
        let child = try await child(config)
        try config.write(text("new", drain: "60s"))
        child.send(SIGHUP)
        try await child.said("reloaded")
        create("in/6")
        create("go")
        try await eventually("all are done: \(state.lines("done"))") { state.lines("out").count == 6 }
        #expect(state.lines("begun") == files("old", 1...5) + files("new", 6...6))
        #expect(state.lines("done") == state.lines("begun"))
        // Events that wait in the old sink when the last step has ended go to the new one.
        let out = state.lines("out")
        let old = out.prefix { $0 == "old" }
        #expect((1...5).contains(old.count) && out.dropFirst(old.count).allSatisfy { $0 == "new" })
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(!child.errorLines.contains { $0.contains("in flight") || $0.contains("leaked") })
    }

    @Test func commandsEndedByDrainRunInNewStep() async throws {
        defer { state.remove() }
        let config = try ConfigFile(text("old", drain: "0s"))
        let child = try await child(config)
        try config.write(text("new", drain: "0s"))
        child.send(SIGHUP)
        try await child.said("p: 5 events in flight in the old steps; redelivering")
        create("go")
        try await eventually("all are done: \(state.lines("done"))") { state.lines("out").count == 5 }
        #expect(state.lines("done").filter { $0.hasPrefix("new") } == files("new", 1...5))
        #expect(state.lines("out") == Array(repeating: "new", count: 5))
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }
}
