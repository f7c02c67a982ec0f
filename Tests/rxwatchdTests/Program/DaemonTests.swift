import Foundation
import RxEngine
import TestSupport
import Testing

/// The daemon's life in a process of its own, with a pipe for standard error.
struct DaemonTests {
    /// An expression that the daemon stops after two seconds, and one of which a single instruction takes longer. Both
    /// are evaluated in its process.
    private static let (endless, heavy) = (
        #"("a" * 3000 | explode) as $e | last($e[] as $a | $e[] as $b | $e[] as $c | 1)"#,
        #"("a" * 60000 | explode) as $a | ("a" * 30000 + "b" | explode) as $b | $a | .[$b]"#
    )

    /// A ready daemon, one of whose pipelines hangs in its first event.
    private func stuckChild(
        drain: String, in expression: String = heavy, working: String = #"to: [journal: "here it comes"]"#,
        streams: Child.Streams = .read
    ) async throws -> Child {
        let config = try ConfigFile(
            """
            daemon: { drain: \(drain) }
            sources: { tick: { interval: { every: 1h, delay: 100ms } } }
            pipelines:
              working: { from: tick, \(working) }
              stuck: { from: tick, steps: [map: '\(expression)'], to: [stdout] }
            """)
        let child = try Child("--config", config.path, streams: streams)
        try await child.said("here it comes")
        try await child.said("ready after")
        return child
    }

    /// The end of the last line if nothing has leaked.
    private static let cleanEnd = Resources.isTraced ? ": 0 live objects, as before the start" : ""

    /// Ticks at once and then every few milliseconds, and writes each tick to both streams.
    private static func config(_ name: String) -> String {
        """
        daemon: { resources: 1h, drain: 10s }
        sources: { tick: { interval: { every: 5ms, delay: 0s } } }
        pipelines:
          p: { from: tick, to: [journal: "\(name) {{.tick}}", stdout] }
        """
    }

    @Test(arguments: [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT")])
    func signalStopsDaemonCleanly(signal: Int32, name: String) async throws {
        let demo = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Config/examples/demo.yaml").standardized.path
        let child = try Child("--config", demo, "--resources")
        try await child.said("beat 0 at ")
        // The first report, which a stop would overtake.
        try await child.said(Resources.isTraced ? " live objects in heartbeat" : " KiB resident")
        child.send(signal)
        #expect(try await child.exitCode() == 0)

        let lines = child.errorLines
        #expect(lines.first?.contains("lifecycle rxwatchd ") == true)
        #expect(lines.count { $0.contains("lifecycle ready after ") } == 1)
        #expect(lines.count { $0.contains("lifecycle stopping on \(name)") } == 1)
        let last = try #require(lines.last)
        #expect(last.hasSuffix("lifecycle stopped on \(name)\(Self.cleanEnd)"))
        let counted = lines.contains {
            $0.contains(" resources ") && $0.hasSuffix(" live objects in heartbeat  (heartbeat)")
        }
        #expect(counted == Resources.isTraced)
    }

    /// The record of a pipeline that drops events is a warning, which is printed without --resources, too.
    @Test func droppedEventsAreReported() async throws {
        let config = try ConfigFile(
            """
            daemon: { resources: 100ms, drain: 1s }
            sources: { tick: { interval: 5ms } }
            pipelines:
              slow: { from: tick, to: [command: { run: [sleep, "100"], queue: 1, overflow: dropNewest }] }
              fine: { from: tick, to: [journal: fine] }

            """)
        let child = try Child("--config", config.path)
        try await child.said("events dropped since the last report  (slow)")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(!child.errorLines.contains { $0.contains(" live objects in ") && !$0.contains(" in slow, ") })
    }

    @Test func eventsOfSinksAreWrittenAtStop() async throws {
        let config = try ConfigFile(Self.config("one"))
        let child = try Child("--config", config.path)
        try await child.said("one 5")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let events = child.errorLines.filter { $0.contains(" event ") }
        #expect(child.outputLines.count == events.count)
        for (index, line) in events.enumerated() {
            #expect(line.hasSuffix("event     one \(index)  (p < tick:\(index))"))
        }
        for (index, line) in child.outputLines.enumerated() { #expect(line.hasPrefix(#"{"tick":\#(index),"time":"#)) }
    }

    @Test func failedPipelineMayExitDaemon() async throws {
        let config = try ConfigFile(
            """
            sources: { tick: { interval: 5ms } }
            pipelines:
              p: { from: tick, steps: [map: 'if .tick == 2 then error("no") else .tick end'], to: [stdout], onError: exit }
            """)
        let child = try Child("--config", config.path)
        #expect(try await child.exitCode() == 1)
        #expect(child.outputLines == ["0", "1"])
        let errors = child.errorLines.filter { $0.contains(" error ") }
        #expect(
            errors.count == 1 && errors[0].contains("p failed: ") && errors[0].contains("the daemon exits"), "\(errors)"
        )
        #expect(child.errorLines.last?.hasSuffix(Self.cleanEnd) == true, "\(child.errorLines)")
    }

    @Test func closedOutputDoesNotEndDaemon() async throws {
        let config = try ConfigFile(Self.config("one"))
        let child = try Child("--config", config.path, streams: .outputGone)
        try await child.said("one 5")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let failures = child.errorLines.filter { $0.contains(" sink ") }
        #expect(
            !failures.isEmpty && failures.allSatisfy { $0.contains(": stdout failed: writing to it: Broken pipe") },
            "\(failures)")
    }

    /// Signals are blocked from the first instruction of the program on, when no other thread could receive them.
    @Test(arguments: [SIGTERM, SIGINT]) func signalDuringStartStopsDaemon(signal: Int32) async throws {
        let config = try ConfigFile(Self.config("one"))
        for _ in 0..<10 {
            let child = try Child("--config", config.path)
            try await eventually("signals are blocked", within: .seconds(20)) { child.blocks(signal) }
            child.send(signal)
            #expect(try await child.exitCode() == 0)
            #expect(child.errorLines.last?.contains("stopped on SIG") == true, "\(child.errorLines)")
        }
    }

    /// Standard output is not read: the resulting drops are recorded, at the first drop and with their number at the
    /// end.
    @Test(arguments: ["dropOldest", "dropNewest"])
    func dropsOfBlockedOutputAreRecorded(overflow: String) async throws {
        let config = try ConfigFile(
            """
            daemon: { resources: 1h, drain: 100ms }
            sources: { tick: { interval: { every: 1ms, delay: 0s } } }
            pipelines:
              p: { from: tick, steps: [map: '"x" * 1000'], to: [stdout: { queue: 10, overflow: \(overflow) }] }
            """)
        let child = try Child("--config", config.path, streams: .outputUnread)
        try await child.said("p: stdout queue full: 10 events are waiting")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(child.errorLines.count { $0.contains("queue full") } == 1)
        let counted = child.errorLines.first { $0.contains("p: stdout dropped ") }
        #expect(counted?.contains(" events") == true || counted?.contains(" event ") == true, "\(child.errorLines)")
        #expect(child.errorLines.contains { $0.contains("p: stdout stopped with ") })
    }

    @Test func secondSignalEndsDaemonAtOnce() async throws {
        let config = try ConfigFile(
            """
            daemon: { drain: 10min }
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p:
                from: tick
                to: [command: { run: [sh, -c, 'echo >"$0.runs"; while [ -e "$0" ]; do sleep 0.1; done', "${CONFIG}"] }]
            """)
        let child = try Child("--config", config.path, environment: ["CONFIG=\(config.path)"])
        try await child.said("ready after")
        try await eventually("the command runs") { access("\(config.path).runs", F_OK) == 0 }
        defer { unlink("\(config.path).runs") }
        let start = ContinuousClock.now
        child.send(SIGTERM)
        try await child.said("stopping on SIGTERM")
        child.send(SIGINT)
        #expect(try await child.exitCode() == 1)
        #expect(ContinuousClock.now - start < .seconds(300))
        #expect(!child.errorLines.contains { $0.contains("stopped on") })
    }

    // Only a build that counts live objects waits for their release.
    #if TRACE_RESOURCES
    @Test func secondSignalEndsFinalCheck() async throws {
        let child = try await stuckChild(drain: "50ms")
        child.send(SIGTERM)
        // It no longer reads signals, and waits a second for the hanging work.
        try await eventually("everything is stopped") { !child.descriptors.values.contains("anon_inode:[signalfd]") }
        child.send(SIGINT)
        #expect(try await child.exitCode() == 1)
        #expect(!child.errorLines.contains { $0.contains("stopped on") })
    }

    @Test func drainTimeIsSpentOnce() async throws {
        let child = try await stuckChild(
            drain: "5s", in: Self.endless,
            working: #"steps: [map: '"x" * 100000'], to: [stdout, journal: "here it comes"]"#,
            streams: .outputUnread)
        let start = ContinuousClock.now
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        // The hanging work is stopped early; standard output, which accepts nothing, uses up the rest. If each of both had
        // the whole time, the stop would take ten seconds: that is five for a busy machine.
        let took = ContinuousClock.now - start
        #expect(took > .seconds(4.9) && took < .seconds(9.9))
    }

    /// What still runs is named; it has not leaked.
    @Test func hungWorkIsEndedAfterDrainTime() async throws {
        let child = try await stuckChild(drain: "50ms")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let last = child.errorLines.last ?? ""
        #expect(last.contains("without waiting any longer for: processing events in "), "\(last)")
        #expect(last.contains("stuck") && !last.contains("leaked"))
    }
    #endif

    @Test func reloadAppliesNewConfig() async throws {
        let config = try ConfigFile(Self.config("one"))
        let child = try Child("--config", config.path)
        try await child.said("one 1")
        try config.write(Self.config("two"))
        child.send(SIGHUP)
        // A stop overtakes queued commands, so the reload must have finished.
        try await child.said("reloaded")
        try await child.said("event     two ")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)

        let lines = child.errorLines
        let reload = try #require(lines.firstIndex { $0.contains(" reload ") })
        let changes = "1 source, 1 pipeline; 3 kept; restarted p/journal"
        #expect(lines[reload].hasSuffix("reload    reloaded \(config.path): \(changes)"))
        #expect(!lines[reload...].contains { $0.contains(" one ") })
        #expect(lines.last?.hasSuffix("stopped on SIGTERM\(Self.cleanEnd)") == true)
    }

    @Test func invalidConfigChangesNothing() async throws {
        let config = try ConfigFile(Self.config("one"))
        let child = try Child("--config", config.path)
        try await child.said("one 1")
        try config.write(Self.config("two") + "\nextra: 1\n")
        child.send(SIGHUP)
        try await child.said("\(config.path):5:1: unknown key 'extra' in the configuration")
        let count = child.errorLines.count { $0.contains(" one ") }
        try await child.said(" one ", times: count + 3)

        try config.write(Self.config("three"))
        child.send(SIGHUP)
        try await child.said("event     three ")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(!child.errorLines.contains { $0.contains(" two ") })
        #expect(child.errorLines.last?.hasSuffix("stopped on SIGTERM\(Self.cleanEnd)") == true)
    }

    @Test func failuresAreRecordedAndOtherPipelinesContinue() async throws {
        let config = try ConfigFile(
            """
            sources: { tick: { interval: { every: 5ms, delay: 0s } } }
            pipelines:
              bad: { from: tick, steps: [map: error("no")], to: [stdout] }
              good: { from: tick, to: [journal: "good {{.tick}}"] }
            """)
        let child = try Child("--config", config.path)
        try await child.said("good 9")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let place = "\(config.path):3:35: map failed on tick:0: no  (bad < tick:0)"
        #expect(child.errorLines.contains { $0.hasSuffix("error     bad failed: \(place)") })
        #expect(child.errorLines.last?.hasSuffix("stopped on SIGTERM\(Self.cleanEnd)") == true)
    }
}
