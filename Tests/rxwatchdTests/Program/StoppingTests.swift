import Foundation
import RxEngine
import TestSupport
import Testing

/// Actions that happen once over a stop and the next start.
struct StoppingTests {
    private static let cleanEnd = Resources.isTraced ? ": 0 live objects, as before the start" : ""
    private let state: StateFolder
    private var folder: String { state.path }

    init() throws {
        state = try StateFolder()
    }

    private func touch(_ name: String) {
        let file = open("\(folder)/\(name)", O_WRONLY | O_CREAT, 0o600)
        #expect(file >= 0)
        close(file)
    }

    /// A command that ignores the signal is killed after its grace, with the processes that it started in a session of
    /// its own, and the daemon runs until then.
    @Test func commandIsKilledAfterGrace() async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            daemon: { drain: 0s }
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p:
                from: tick
                to:
                  - command:
                      run:
                        - sh
                        - -c
                        - |
                          trap "" TERM
                          env -i setsid sh -c 'trap "" TERM; (sleep 1000 & echo $! > escaped; wait) > /dev/null 2>&1' &
                          until [ -s escaped ]; do sleep 0.01; done
                          echo $$$$ > begun
                          while :; do sleep 0.02; done
                      directory: \(folder)
            """)
        let child = try state.child(config)
        try await child.said("ready after")
        try await eventually("the command runs") { !state.lines("begun").isEmpty }
        let processes = try (state.lines("begun") + state.lines("escaped")).map { try #require(pid_t($0)) }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        for process in processes { #expect(kill(process, 0) != 0 && errno == ESRCH, "\(process)") }
        #expect(child.errorLines.last?.hasSuffix("stopped on SIGTERM\(Self.cleanEnd)") == true)
    }

    /// A command that takes a second to end on SIGTERM is awaited.
    @Test func commandEndedBySignalLeaksNothing() async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            daemon: { drain: 0s }
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p:
                from: tick
                to:
                  - command:
                      run: [sh, -c, 'trap "sleep 1; echo >> ended; exit" TERM; echo >> begun; while :; do sleep 0.02; done']
                      directory: \(folder)
            """)
        let child = try state.child(config)
        try await child.said("ready after")
        try await eventually("the command runs") { exists("begun") }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(child.errorLines.last?.hasSuffix("stopped on SIGTERM\(Self.cleanEnd)") == true, "\(child.errorLines)")
        #expect(exists("ended") || !Resources.isTraced)
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(name)") }

    /// Of five files, two are processed when the daemon is stopped, and the third is being processed: the others follow
    /// within the drain time, or in the next process.
    @Test(arguments: ["0s", "20s"]) func everyFileIsProcessedOnce(drain: String) async throws {
        defer { state.remove() }
        try FileManager.default.createDirectory(atPath: "\(folder)/in", withIntermediateDirectories: false)
        let script = """
            echo $1 >> begun; until [ -e go-$(basename $1) ]; do sleep 0.02; done; echo $1 >> done
            """
        let config = try ConfigFile(
            """
            daemon: { drain: \(drain) }
            sources: { in: { files: { paths: \(folder)/in, events: created } } }
            pipelines:
              p:
                from: in
                steps:
                  - concatMap: { command: { run: [sh, -c, '\(script)', x, "{{.path}}"], directory: \(folder) }, map: $outer.path }
                to: [command: { run: [sh, -c, 'echo {{.}} >> acted'], directory: \(folder) }]
            """)
        let all = (1...5).map { "\(folder)/in/\($0)" }
        let first = try state.child(config)
        try await first.said("ready after")
        for number in 1...5 { touch("in/\(number)") }
        for number in 1...2 { touch("go-\(number)") }
        try await eventually("the third file is being processed") { state.lines("begun") == Array(all.prefix(3)) }
        try await eventually("the sink is done with two") { state.lines("acted") == Array(all.prefix(2)) }
        first.send(SIGTERM)
        try await first.said("stopping on SIGTERM")
        if drain != "0s" { for number in 3...5 { touch("go-\(number)") } }
        #expect(try await first.exitCode() == 0)
        #expect(state.lines("done") == (drain == "0s" ? Array(all.prefix(2)) : all))

        if drain == "0s" { for number in 3...5 { touch("go-\(number)") } }
        let second = try state.child(config)
        try await second.said("ready after")
        touch("go-6")
        touch("in/6")
        try await eventually("all files are processed") { state.lines("acted").count >= 6 }
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
        #expect(state.lines("done") == all + ["\(folder)/in/6"])
        #expect(state.lines("acted") == all + ["\(folder)/in/6"])
    }

    /// A reader takes some lines of a batch: the others are written by the next process.
    @Test func slowReaderReceivesEachLineOnce() async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            daemon: { drain: 0s }
            sources: { tick: { interval: { every: 1ms } } }
            pipelines:
              p:
                from: tick
                steps: [take: 20, map: '"\\(.tick) " + "x" * 1000']
                to: [stdout, journal: '{{"took \\(.[:3])"}}']
            """)
        let first = try state.child(config, streams: .outputUnread)
        try await first.said("took 19")
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        #expect(first.errorLines.last?.hasSuffix("stopped on SIGTERM\(Self.cleanEnd)") == true, "\(first.errorLines)")
        first.readRest()
        let second = try state.child(config)
        try await eventually("the other lines are written") { second.outputLines.count >= 20 - first.outputLines.count }
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
        let lines = (first.outputLines + second.outputLines).map { $0.dropFirst().prefix { $0 != " " } }
        #expect(1..<20 ~= first.outputLines.count && lines == (0..<20).map { "\($0)" }, "\(lines)")
    }

    /// An alert about a server that is down is not sent again because the daemon restarts.
    @Test func alertIsSentOnceOverRestarts() async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            sources: { health: { http: { url: "http://127.0.0.1:1/", every: 30ms } } }
            pipelines:
              polls: { from: health, to: [file: { path: \(folder)/polls, format: "{{.ok}}" }] }
              alert:
                from: health
                steps: [distinctUntilChanged: .ok, filter: .ok == false]
                to: [command: { run: [sh, -c, 'echo {{$event.id}} >> alerts'], directory: \(folder) }]
            """)
        for _ in 1...3 {
            let count = state.lines("polls").count
            let child = try state.child(config)
            try await child.said("ready after")
            try await eventually("the source polls") { state.lines("polls").count > count + 2 }
            try await eventually("the alert is sent") { !state.lines("alerts").isEmpty }
            child.send(SIGTERM)
            #expect(try await child.exitCode() == 0)
        }
        #expect(state.lines("alerts").count == 1)
        #expect(Set(state.lines("polls")) == ["false"])
    }
}
