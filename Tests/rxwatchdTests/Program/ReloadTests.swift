import Foundation
import RxEngine
import TestSupport
import Testing

/// Leak tests of reloads that replace pipelines.
struct ReloadTests {
    private static let cleanEnd = Resources.isTraced ? ": 0 live objects, as before the start" : ""

    /// Two pipelines of one source, which the first of them starts.
    private static func config(_ number: Int) -> String {
        """
        daemon: { drain: 100ms, resources: 100ms }
        sources: { tick: { interval: { every: 5ms } } }
        pipelines:
          first: { from: tick, steps: [map: "[\(number), .tick]"], to: [journal: "first {{.}}"] }
          second: { from: tick, steps: [map: .tick], to: [journal: "second {{.}}"] }
        """
    }

    /// Waits until the replaced pipelines have been checked, a second after their drain. Counts are recorded every 100
    /// ms, by the same scheduler.
    private func waitForLeakCheck(_ child: Child) async throws {
        try await child.said("reloaded")
        let before = child.errorLines.count { $0.contains(" KiB resident") }
        try await child.said(" KiB resident", times: before + 15)
    }

    @Test(arguments: [
        ("changed", config(1)),
        ("removed", config(0).split(separator: "\n").filter { !$0.contains("first:") }.joined(separator: "\n")),
    ])
    func firstReloadReleasesReplacedPipelines(change: String, next: String) async throws {
        let config = try ConfigFile(Self.config(0))
        let child = try Child("--config", config.path, "--resources")
        try await child.said("ready after")
        try await child.said("second ")
        try config.write(next)
        child.send(SIGHUP)
        try await waitForLeakCheck(child)
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(!child.errorLines.contains { $0.contains("leak") }, "\(change)")
        #expect(child.errorLines.last?.hasSuffix("stopped on SIGTERM\(Self.cleanEnd)") == true)
    }

    /// If one reload removes a sink and the next restores it, the restored sink waits for its running work: that is
    /// done once, and never twice at a time.
    @Test(
        arguments: ["1000", "{ disk: 1MiB }"],
        ["pipelines: { other: { from: new, to: [stdout] } }", "pipelines: { p: { from: new, to: [stdout] } }"])
    func restoredSinkWaitsForRunningWork(queue: String, without: String) async throws {
        let state = try StateFolder()
        defer { state.remove() }
        mkdir("\(state.path)/new", 0o700)
        let command = "echo begin >> \(state.path)/acts; sleep 1; echo end >> \(state.path)/acts"
        let sources = "sources: { new: { files: { paths: \(state.path)/new, events: created } } }"
        let sink = "command: { run: [sh, -c, '\(command)'], queue: \(queue) }"
        let with = "\(sources)\npipelines: { p: { from: new, to: [\(sink)] } }"
        let config = try ConfigFile(with)
        let child = try state.child(config)
        try await child.said("ready after")
        try Data().write(to: URL(fileURLWithPath: "\(state.path)/new/a"))
        try await eventually("the sink is working") { state.lines("acts") == ["begin"] }
        for (number, text) in ["\(sources)\n\(without)", with].enumerated() {
            try config.write(text)
            child.send(SIGHUP)
            try await child.said("reloaded", times: number + 1)
        }
        try Data().write(to: URL(fileURLWithPath: "\(state.path)/new/b"))
        try await eventually("both events are processed", within: .seconds(10)) { state.lines("acts").count == 4 }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(state.lines("acts") == ["begin", "end", "begin", "end"])
    }

    @Test func manyReloadsLeakNothing() async throws {
        let state = try StateFolder()
        defer { state.remove() }
        let config = try ConfigFile(Self.config(0))
        let child = try state.child(config)
        try await child.said("ready after")
        for number in 1...200 {
            try config.write(Self.config(number))
            child.send(SIGHUP)
            try await child.said("reloaded", times: number)
        }
        try await child.said("first [200,")
        try await waitForLeakCheck(child)
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(!child.errorLines.contains { $0.contains("leak") || $0.contains(" error ") })
        #expect(child.errorLines.last?.hasSuffix("stopped on SIGTERM\(Self.cleanEnd)") == true)
    }

    /// The replaced pipelines are still finishing their work.
    @Test func stopAfterReloadLeaksNothing() async throws {
        let state = try StateFolder()
        defer { state.remove() }
        func text(_ number: Int) -> String {
            """
            daemon: { drain: 2s }
            sources: { tick: { interval: { every: 20ms, delay: 0s } } }
            pipelines:
              p:
                from: tick
                steps: [map: "[\(number), .tick]", concatMap: { command: { run: [sleep, "0.05"] }, map: $outer }]
                to: [command: { run: [sh, -c, 'echo {{.}} >> done; sleep 0.1'], directory: \(state.path) }]
            """
        }
        let config = try ConfigFile(text(0))
        for number in 1...4 {
            let child = try state.child(config)
            let count = state.lines("done").count
            try await child.said("ready after")
            try await eventually("events are processed") { state.lines("done").count > count }
            try config.write(text(number))
            child.send(SIGHUP)
            try await child.said("reloaded")
            child.send(SIGTERM)
            #expect(try await child.exitCode() == 0)
            #expect(
                child.errorLines.last?.hasSuffix("stopped on SIGTERM\(Self.cleanEnd)") == true, "\(child.errorLines)")
        }
    }
}
