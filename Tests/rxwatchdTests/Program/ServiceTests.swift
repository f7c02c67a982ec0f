import Foundation
import TestSupport
import Testing

/// The messages of the daemon to the service manager over its life.
struct ServiceTests {
    private static let config = """
        daemon: { resources: 1h, drain: 10s }
        sources: { tick: { interval: 1h } }
        pipelines: { p: { from: tick, to: [stdout] } }

        """

    @Test func serviceManagerIsNotified() async throws {
        let manager = try NotifySocket()
        let config = try ConfigFile(Self.config)
        let child = try Child("--config", config.path, environment: ["NOTIFY_SOCKET=\(manager.path)"])
        try await eventually("the daemon is ready") { manager.turns == ["READY=1"] }
        #expect(manager.messages[0].contains("\nSTATUS=1 source, 1 pipeline running, "))
        // The state of its watcher is kept for the next process.
        try await eventually("the manager stores a descriptor") {
            manager.messages.contains { $0.hasPrefix("FDSTORE=1\nFDNAME=files") }
        }

        try config.write(Self.config + "sources: { more: { interval: 1h } }")
        child.send(SIGHUP)
        try await eventually("a bad config is read") { manager.turns.dropFirst() == ["RELOADING=1", "READY=1"] }

        try config.write(
            "sources: { tick: { interval: 1h } }\npipelines: { p: &p { from: tick, to: [stdout] }, q: *p }\n")
        child.send(SIGHUP)
        try await eventually("a good config is read") {
            manager.turns.dropFirst(3) == ["RELOADING=1", "READY=1"]
        }
        #expect(manager.messages.contains { $0.contains("STATUS=1 source, 2 pipelines running, ") })

        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        // The second process asks for time to save its state.
        #expect(manager.turns.dropFirst(5) == ["STOPPING=1", "EXTEND_TIMEOUT_USEC=18000000"])
        // The 5 seconds of the drain, 5 in which a command is killed, one to verify, one for the last records, one to
        // spare.
        #expect(manager.messages.contains("STOPPING=1\nEXTEND_TIMEOUT_USEC=13000000"))
    }

    @Test func undeliveredRecordsAreCounted() async throws {
        let manager = try NotifySocket()
        let config = try ConfigFile(
            """
            daemon: { resources: 20ms }
            sources: { tick: { interval: { every: 5ms, delay: 0s } } }
            pipelines: { p: { from: tick, to: [stdout] } }
            """)
        let child = try Child(
            "--config", config.path, environment: ["NOTIFY_SOCKET=\(manager.path)"], streams: .outputGone)
        try await eventually("the lines are counted as dropped") {
            manager.messages.contains { $0.hasPrefix("STATUS=") && !$0.hasSuffix(" 0 dropped") }
        }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }

    /// Files that it opens itself would otherwise take the numbers of the streams, and be written to.
    @Test func missingStandardStreamsAreNullDevice() async throws {
        let manager = try NotifySocket()
        let config = try ConfigFile(Self.config)
        let child = try Child(
            "--config", config.path, environment: ["NOTIFY_SOCKET=\(manager.path)"], streams: .closed)
        try await eventually("the daemon is ready") { manager.turns == ["READY=1"] }
        #expect((0...2).map { child.descriptors[$0] } == ["/dev/null", "/dev/null", "/dev/null"])
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }

    @Test func onlyMissingStandardStreamsAreOpened() async throws {
        let manager = try NotifySocket()
        let config = try ConfigFile(Self.config)
        let child = try Child(
            "--config", config.path, environment: ["NOTIFY_SOCKET=\(manager.path)"], streams: .readWithoutInput)
        try await eventually("the daemon is ready") { manager.turns == ["READY=1"] }
        #expect(child.descriptors[0] == "/dev/null")
        #expect([1, 2].allSatisfy { child.descriptors[$0]?.hasPrefix("pipe:") == true })
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(child.errorLines.last?.contains("stopped on SIGTERM") == true)
    }

    @Test func watchdogIsFed() async throws {
        let manager = try NotifySocket()
        let config = try ConfigFile(Self.config)
        let child = try Child(
            "--config", config.path, environment: ["NOTIFY_SOCKET=\(manager.path)", "WATCHDOG_USEC=30000"])
        try await eventually("the watchdog is fed") { manager.messages.count { $0 == "WATCHDOG=1" } > 5 }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }
}
