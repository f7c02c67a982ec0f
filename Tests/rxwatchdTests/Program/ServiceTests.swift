import Foundation
import TestSupport
import Testing

/// What the daemon tells the service manager in the course of its life.
struct ServiceTests {
    private static let config = """
        daemon: { resources: 1h, drain: 10s }
        sources: { tick: { interval: 1h } }
        pipelines: { p: { from: tick, to: [stdout] } }

        """

    @Test func theManagerIsKeptInformed() async throws {
        let manager = try Manager()
        let config = try ConfigFile(Self.config)
        let child = try Child("--config", config.path, environment: ["NOTIFY_SOCKET=\(manager.path)"])
        try await eventually("it is ready") { manager.turns == ["READY=1"] }
        #expect(manager.messages[0].contains("\nSTATUS=1 source, 1 pipeline running, "))
        // What it watches is kept for the next process.
        try await eventually("it has something kept") {
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
        // The second asks for time to save what is left.
        #expect(manager.turns.dropFirst(5) == ["STOPPING=1", "EXTEND_TIMEOUT_USEC=18000000"])
        // The 5 seconds of the drain, 5 in which a command is killed, one to verify, one for the last records, one to
        // spare.
        #expect(manager.messages.contains("STOPPING=1\nEXTEND_TIMEOUT_USEC=13000000"))
    }

    @Test func whatNobodyTakesIsCounted() async throws {
        let manager = try Manager()
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

    /// What it opens itself would otherwise take the numbers of the streams, and be written to.
    @Test func startedWithoutStandardStreamsItTakesTheNullDevice() async throws {
        let manager = try Manager()
        let config = try ConfigFile(Self.config)
        let child = try Child(
            "--config", config.path, environment: ["NOTIFY_SOCKET=\(manager.path)"], streams: .closed)
        try await eventually("it is ready") { manager.turns == ["READY=1"] }
        #expect((0...2).map { child.descriptors[$0] } == ["/dev/null", "/dev/null", "/dev/null"])
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }

    @Test func onlyAStandardStreamThatIsMissingIsOpened() async throws {
        let manager = try Manager()
        let config = try ConfigFile(Self.config)
        let child = try Child(
            "--config", config.path, environment: ["NOTIFY_SOCKET=\(manager.path)"], streams: .readWithoutInput)
        try await eventually("it is ready") { manager.turns == ["READY=1"] }
        #expect(child.descriptors[0] == "/dev/null")
        #expect([1, 2].allSatisfy { child.descriptors[$0]?.hasPrefix("pipe:") == true })
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(child.errorLines.last?.contains("stopped on SIGTERM") == true)
    }

    @Test func theWatchdogIsFed() async throws {
        let manager = try Manager()
        let config = try ConfigFile(Self.config)
        let child = try Child(
            "--config", config.path, environment: ["NOTIFY_SOCKET=\(manager.path)", "WATCHDOG_USEC=30000"])
        try await eventually("it is fed") { manager.messages.count { $0 == "WATCHDOG=1" } > 5 }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }
}

/// A service manager's end of the notify socket.
private final class Manager: Sendable {
    let path = "/tmp/rxwatchd-notify-\(UUID().uuidString)"
    private let descriptor: Int32
    private let received = Box<[String]>([])

    init() throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = path
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        try #require(status == 0)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Everything it was told so far.
    var messages: [String] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count >= 0 {
            let message = String(decoding: buffer[..<count], as: UTF8.self)
            received.append(message)
        }
        return received.value
    }

    /// The turns of the service's life among them.
    var turns: [String] {
        messages.compactMap { $0.split(separator: "\n").first.map(String.init) }
            .filter { turn in !["STATUS=", "WATCHDOG=", "FDSTORE"].contains(where: turn.hasPrefix) }
    }
}
