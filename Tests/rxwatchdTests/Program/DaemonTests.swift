import Foundation
import RxEngine
import TestSupport
import Testing

/// The daemon's life in a process of its own, with a pipe for standard error.
struct DaemonTests {
    /// An expression that the daemon stops after two seconds, and one of which a single instruction takes longer.
    private static let (endless, heavy) = ("last(range(0; infinite))", "[range(60000)] | .[[range(30000)]]")

    /// A daemon that is ready, and one of whose pipelines hangs in its first event.
    private func stuckChild(
        drain: String, in expression: String = heavy, told: String = #"to: [journal: "here it comes"]"#,
        streams: Child.Streams = .read
    ) async throws -> Child {
        let config = try ConfigFile(
            """
            daemon: { drain: \(drain) }
            sources: { tick: { interval: { every: 1h, delay: 100ms } } }
            pipelines:
              told: { from: tick, \(told) }
              stuck: { from: tick, steps: [map: "\(expression)"], to: [stdout] }
            """)
        let child = try Child("--config", config.path, streams: streams)
        try await child.said("here it comes")
        try await child.said("ready after")
        return child
    }

    /// How the last line ends when nothing has leaked.
    private static let cleanEnd = Resources.isTraced ? ": 0 live resources, as before the start" : ""

    /// Ticks at once and then every few milliseconds, and says so on both streams.
    private static func config(_ name: String) -> String {
        """
        daemon: { resources: 1h, drain: 10s }
        sources: { tick: { interval: { every: 5ms, delay: 0s } } }
        pipelines:
          p: { from: tick, to: [journal: "\(name) {{.tick}}", stdout] }
        """
    }

    @Test(arguments: [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT")])
    func itStopsCleanlyOnASignal(signal: Int32, name: String) async throws {
        let demo = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Config/examples/demo.yaml").standardized.path
        let child = try Child("--config", demo)
        try await child.said("beat 0 at ")
        // The first report, which a stop would overtake.
        try await child.said(Resources.isTraced ? " live resources in heartbeat" : " KiB resident")
        child.send(signal)
        #expect(try await child.exitCode() == 0)

        let lines = child.errorLines
        #expect(lines.first?.contains("lifecycle rxwatchd ") == true)
        #expect(lines.count { $0.contains("lifecycle ready after ") } == 1)
        #expect(lines.count { $0.contains("lifecycle stopping on \(name)") } == 1)
        let last = try #require(lines.last)
        #expect(last.hasSuffix("lifecycle stopped on \(name)\(Self.cleanEnd)"))
        let counted = lines.contains {
            $0.contains(" resources ") && $0.hasSuffix(" live resources in heartbeat  (heartbeat)")
        }
        #expect(counted == Resources.isTraced)
    }

    @Test func whatSinksWereGivenIsStillWritten() async throws {
        let config = try ConfigFile(Self.config("one"))
        let child = try Child("--config", config.path)
        try await child.said("one 5")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let told = child.errorLines.filter { $0.contains(" event ") }
        #expect(child.outputLines.count == told.count)
        for (index, line) in told.enumerated() {
            #expect(line.hasSuffix("event     one \(index)  (p < tick:\(index))"))
        }
        for (index, line) in child.outputLines.enumerated() { #expect(line.hasPrefix(#"{"tick":\#(index),"time":"#)) }
    }

    @Test func aPipelineMayEndItWhenItFails() async throws {
        let config = try ConfigFile(
            """
            sources: { tick: { interval: 5ms } }
            pipelines:
              p: { from: tick, steps: [map: 'if .tick == 2 then error("no") else .tick end'], to: [stdout], onError: exit }
            """)
        let child = try Child("--config", config.path)
        #expect(try await child.exitCode() == 1)
        #expect(child.outputLines == ["0", "1"])
        let told = child.errorLines.filter { $0.contains(" error ") }
        #expect(
            told.count == 1 && told[0].contains("p failed: ") && told[0].contains("the daemon ends with it"), "\(told)")
        #expect(child.errorLines.last?.hasSuffix(Self.cleanEnd) == true, "\(child.errorLines)")
    }

    @Test func itOutlivesTheReaderOfItsOutput() async throws {
        let config = try ConfigFile(Self.config("one"))
        let child = try Child("--config", config.path, streams: .outputGone)
        try await child.said("one 5")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let told = child.errorLines.filter { $0.contains(" sink ") }
        #expect(
            !told.isEmpty && told.allSatisfy { $0.contains(": stdout failed: writing to it: Broken pipe") }, "\(told)")
    }

    @Test func aSecondSignalEndsItAtOnce() async throws {
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

    // Only one that counts what is alive waits for it to go.
    #if TRACE_RESOURCES
    @Test func aSecondSignalEndsTheFinalCheck() async throws {
        let child = try await stuckChild(drain: "50ms")
        child.send(SIGTERM)
        // It no longer reads signals, and waits for a second whether what hangs lets go after all.
        try await eventually("everything is stopped") { !child.descriptors.values.contains("anon_inode:[signalfd]") }
        child.send(SIGINT)
        #expect(try await child.exitCode() == 1)
        #expect(!child.errorLines.contains { $0.contains("stopped on") })
    }

    @Test func theDrainTimeIsGivenOnce() async throws {
        let child = try await stuckChild(
            drain: "2s", in: Self.endless,
            told: #"steps: [map: '"x" * 100000'], to: [stdout, journal: "here it comes"]"#,
            streams: .outputUnread)
        let start = ContinuousClock.now
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        // What hangs is stopped before it is over; standard output, which takes nothing, uses up the rest.
        let took = ContinuousClock.now - start
        #expect(took > .seconds(1.9) && took < .seconds(3.5))
    }

    @Test func onlyTheDrainTimeIsGivenToWhatHangs() async throws {
        let child = try await stuckChild(drain: "50ms")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(child.errorLines.last?.contains("before the start: something leaked") == true)
    }
    #endif

    @Test func aReloadTakesTheNewConfigOver() async throws {
        let config = try ConfigFile(Self.config("one"))
        let child = try Child("--config", config.path)
        try await child.said("one 1")
        try config.write(Self.config("two"))
        child.send(SIGHUP)
        // A stop overtakes what waits, so that the reload must be over.
        try await child.said("reloaded")
        try await child.said("event     two ")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)

        let lines = child.errorLines
        let reload = try #require(lines.firstIndex { $0.contains(" reload ") })
        #expect(lines[reload].hasSuffix("reload    reloaded \(config.path): 1 source, 1 pipeline"))
        #expect(!lines[reload...].contains { $0.contains(" one ") })
        #expect(lines.last?.hasSuffix("stopped on SIGTERM\(Self.cleanEnd)") == true)
    }

    @Test func aBadConfigChangesNothing() async throws {
        let config = try ConfigFile(Self.config("one"))
        let child = try Child("--config", config.path)
        try await child.said("one 1")
        try config.write(Self.config("two") + "\nextra: 1\n")
        child.send(SIGHUP)
        try await child.said("\(config.path):5:1: unknown key 'extra' in the config")
        let told = child.errorLines.count { $0.contains(" one ") }
        try await child.said(" one ", times: told + 3)

        try config.write(Self.config("three"))
        child.send(SIGHUP)
        try await child.said("event     three ")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(!child.errorLines.contains { $0.contains(" two ") })
        #expect(child.errorLines.last?.hasSuffix("stopped on SIGTERM\(Self.cleanEnd)") == true)
    }

    @Test func failuresAreRecordedAndTheRestGoesOn() async throws {
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
