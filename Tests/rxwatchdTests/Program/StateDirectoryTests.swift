import Glibc
import TestSupport
import Testing

/// The directory of the daemon's state, which others use, too.
struct StateDirectoryTests {
    private let state: StateFolder
    private var folder: String { state.path }

    init() throws {
        state = try StateFolder()
    }

    /// Two daemons would both act on the last process's events, and each would overwrite the other's snapshots.
    @Test func stateDirectoryIsLocked() async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            "sources: { tick: { interval: 1h } }\npipelines: { p: { from: tick, to: [stdout] } }")
        let child = try state.child(config)
        try await child.said("ready after")
        let second = try state.child(config)
        #expect(try await second.exitCode() == 1)
        #expect(second.errorLines.contains { $0.contains("another rxwatchd uses the state directory '\(folder)'") })
        child.send(SIGKILL)
        #expect(try await child.exitCode() == -SIGKILL)
        let next = try state.child(config)
        try await next.said("ready after")
        next.send(SIGTERM)
        #expect(try await next.exitCode() == 0)
    }

    /// Someone deletes the files that the daemon has open.
    @Test func deletedStoresAreWrittenAgain() async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            sources: { tick: { interval: { every: 20ms, delay: 0s } } }
            pipelines:
              p:
                from: tick
                steps: [scan: { seed: 0, next: $state + 1 }]
                to: [file: { path: \(folder)/counts, queue: { disk: 1MiB } }]
            """)
        let child = try state.child(config)
        let stores = ["events.db", "spool.db"]
        try await eventually("the stores exist") {
            stores.allSatisfy { access("\(folder)/\($0)", F_OK) == 0 } && state.lines("counts").count > 5
        }
        for store in stores {
            for suffix in ["", "-wal", "-shm"] { unlink("\(folder)/\(store)\(suffix)") }
        }
        try await child.said(
            "the spool database '\(folder)/spool.db' was deleted while the daemon was running; it is written again")
        try await child.said("events and state '\(folder)/events.db' was deleted while the daemon was running")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let stopped = state.lines("counts").count
        let next = try state.child(config)
        try await eventually("the pipeline continues to count") { state.lines("counts").count > stopped }
        next.send(SIGTERM)
        #expect(try await next.exitCode() == 0)
        let counts = state.lines("counts")
        #expect(counts == (1...counts.count).map { "\($0)" })
    }
}
