import Foundation
import Glibc
import TestSupport
import Testing

/// State directories on disks that accept no more writes, if such disks may be mounted: the daemon reports it, and
/// continues.
struct StateDiskTests {
    /// A small disk in memory, mounted on a state directory for the life of this object.
    private final class Disk {
        let state: StateFolder

        init?(_ options: String) throws {
            state = try StateFolder()
            if mount("rx-state", state.path, "tmpfs", 0, options) != 0 {
                state.remove()
                return nil
            }
        }

        func makeReadOnly() -> Bool {
            mount("rx-state", state.path, "tmpfs", UInt(MS_REMOUNT) | UInt(MS_RDONLY), nil) == 0
        }

        /// Writes a file until nothing more fits.
        func fill() {
            let file = open("\(state.path)/filler", O_WRONLY | O_CREAT, 0o600)
            let page = [UInt8](repeating: 0, count: 4096)
            while write(file, page, page.count) > 0 {}
            close(file)
        }

        func makeRoom() {
            unlink("\(state.path)/filler")
        }

        deinit {
            umount2(state.path, Int32(MNT_DETACH))
            state.remove()
        }
    }

    private static func config() throws -> ConfigFile {
        try ConfigFile(
            """
            daemon: { drain: 1s }
            sources: { tick: { interval: { every: 20ms, delay: 0s } } }
            pipelines:
              p:
                from: tick
                steps: [scan: { seed: 0, next: $state + 1 }, delay: 50ms]
                to: [journal: "seen {{.}}"]
              q: { from: tick, steps: [filter: .tick < 3], to: [command: { run: [echo], queue: { disk: 1MiB } }] }
            """)
    }

    @Test func readOnlyStateDirectoryIsRecorded() async throws {
        guard let disk = try Disk("size=64k") else { return }
        try #require(disk.makeReadOnly())
        let config = try Self.config()
        let child = try disk.state.child(config)
        try await child.said("ready after")
        try await child.said("seen 20")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let lines = child.errorLines
        #expect(lines.contains { $0.contains("events and state '\(disk.state.path)/events.db' failed: ") })
        #expect(lines.contains { $0.contains("spool database '\(disk.state.path)/spool.db' failed, retrying: ") })
        #expect(lines.contains { $0.contains("q: command spool failed, retrying: ") })
        #expect(lines.count { $0.contains("q: command done") } == 3)
    }

    @Test func fullStateDirectoryIsRecorded() async throws {
        guard let disk = try Disk("size=64k") else { return }
        disk.fill()
        let config = try Self.config()
        let child = try disk.state.child(config)
        try await child.said("ready after")
        try await child.said("seen 20")
        try await child.said("q: command done", times: 3)
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let lines = child.errorLines
        #expect(lines.contains { $0.contains("events and state '\(disk.state.path)/events.db' failed: ") })
        #expect(lines.contains { $0.contains("spool database '\(disk.state.path)/spool.db' failed, retrying: ") })
    }

    /// A disk that is full for a while loses nothing.
    @Test func diskThatFillsWhileDaemonRunsIsRecorded() async throws {
        guard let disk = try Disk("size=1m") else { return }
        let config = try Self.config()
        let child = try disk.state.child(config)
        try await child.said("seen 3")
        disk.fill()
        try await child.said("saving unsettled events and state failed, retrying: ")
        let count = child.errorLines.count { $0.contains(" seen ") }
        try await child.said(" seen ", times: count + 5)
        disk.makeRoom()
        try await child.said("saving unsettled events and state works again")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let last = child.errorLines.compactMap { line in
            line.firstRange(of: "seen ").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
        }
        #expect(last == Array(1...last.count))

        let next = try disk.state.child(config)
        try await next.said("seen \(last.count + 1) ")
        next.send(SIGTERM)
        #expect(try await next.exitCode() == 0)
    }
}
