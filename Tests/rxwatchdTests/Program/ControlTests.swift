import Foundation
import RxControl
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// Requests to a running daemon, and its answers.
@Suite(.balanced) struct ControlTests {
    /// A daemon with a control socket.
    private final class Daemon {
        let folder: String
        let config: ConfigFile
        let child: Child

        init(_ text: String, credentials: [String: String]? = nil) throws {
            folder = "/tmp/rxwatchd-run-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: "\(folder)/credentials", withIntermediateDirectories: true)
            for (name, secret) in credentials ?? [:] {
                try Data(secret.utf8).write(to: URL(fileURLWithPath: "\(folder)/credentials/\(name)"))
            }
            config = try ConfigFile(text)
            let more = credentials == nil ? [] : ["CREDENTIALS_DIRECTORY=\(folder)/credentials"]
            child = try Child("--config", config.path, environment: ["RUNTIME_DIRECTORY=\(folder)"] + more)
        }

        deinit {
            try? FileManager.default.removeItem(atPath: folder)
        }

        func ask(_ request: ControlRequest) throws -> ControlAnswer {
            let bytes = try LocalCall.ask(request.line, at: "\(folder)/control", within: .seconds(20))
            return try #require(ControlAnswer(bytes))
        }

        var generation: JSON? { try? ask(.status).details["generation"] }

        func stop() async throws {
            child.send(SIGTERM)
            #expect(try await child.exitCode() == 0)
        }
    }

    private static func config(_ message: String, _ source: String = "interval: { every: 1h, delay: 0s }") -> String {
        """
        daemon: { resources: 1h }
        sources: { tick: { \(source) } }
        pipelines: { p: { from: tick, to: [journal: "\(message)"] } }

        """
    }

    @Test func reloadIsAnsweredWhenFinished() async throws {
        let daemon = try Daemon(Self.config("one"))
        try await daemon.child.said("ready after")
        #expect(daemon.generation == 1)
        try daemon.config.write(Self.config("two"))
        let answer = try daemon.ask(.reload)
        #expect(answer == ControlAnswer("reloaded \(daemon.config.path): 1 source, 1 pipeline"))
        #expect(daemon.generation == 2)

        // An invalid config changes nothing, and each of its errors has its place.
        try daemon.config.write(Self.config("three", "intervall: 1s") + "extra: 1\n")
        let refusal = try daemon.ask(.reload)
        #expect(refusal.exitCode == 78 && refusal.message.hasPrefix("\(daemon.config.path):2:20: unknown source"))
        #expect(refusal.details["mistakes"]?.array?.compactMap { $0["line"]?.number } == [2, 4])
        #expect(daemon.generation == 2)
        try await daemon.stop()
    }

    /// Reloads that are requested while one is running are one, and all are answered.
    @Test func concurrentReloadsAreCombined() async throws {
        let daemon = try Daemon(Self.config("one"))
        try await daemon.child.said("ready after")
        let answers = Cell<[ControlAnswer]>([])
        let socket = "\(daemon.folder)/control"
        inParallel(20) { _ in
            guard let bytes = try? LocalCall.ask(ControlRequest.reload.line, at: socket, within: .seconds(20)),
                let answer = ControlAnswer(bytes)
            else { return }
            answers.append(answer)
        }
        #expect(answers.value.count == 20 && answers.value.allSatisfy { $0.exitCode == 0 })
        let generation = try #require(daemon.generation?.number)
        #expect(generation >= 2 && generation < 15, "\(generation)")
        try await daemon.stop()
    }

    /// A socket at which another process listens is not taken away, and is taken when that process has ended.
    @Test func socketInUseAtStartIsTakenLater() async throws {
        let folder = "/tmp/rxwatchd-run-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = LocalServer.requests(at: "\(folder)/control", on: DispatchQueue(label: "other"))
            .subscribe(onNext: { $0.answer([]) })
        let config = try ConfigFile(Self.config("one"))
        let child = try Child("--config", config.path, environment: ["RUNTIME_DIRECTORY=\(folder)"])
        try await child.said("rxwatchctl cannot connect to this daemon")
        try await child.said("ready after")
        other.dispose()
        try await child.said("rxwatchctl can connect to this daemon")
        let bytes = try LocalCall.ask(ControlRequest.status.line, at: "\(folder)/control", within: .seconds(20))
        #expect(ControlAnswer(bytes)?.exitCode == 0)
        #expect(child.errorLines.count { $0.contains("cannot connect to") } == 1)
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }

    /// A hundred reloads at once and five thousand signals among silent connections: all are answered, and nothing
    /// leaks.
    @Test func manyReloadsAreAnsweredAmongSilentConnections() async throws {
        let daemon = try Daemon(Self.config("one"))
        try await daemon.child.said("ready after")
        let socket = "\(daemon.folder)/control"
        let silent = (0..<300).map { _ in Self.connect(to: socket) }
        defer { for connection in silent { close(connection) } }
        #expect(silent.allSatisfy { $0 >= 0 })
        let (answers, child) = (Cell<[ControlAnswer]>([]), daemon.child)
        inParallel(100) { number in
            for _ in 0..<50 { child.send(SIGHUP) }
            guard let bytes = try? LocalCall.ask(ControlRequest.reload.line, at: socket, within: .seconds(20)),
                let answer = ControlAnswer(bytes)
            else { return }
            answers.append(answer)
        }
        #expect(answers.value.count == 100 && answers.value.allSatisfy { $0.exitCode == 0 })
        #expect(try daemon.ask(.status).exitCode == 0)
        try await daemon.stop()
        #expect(!daemon.child.errorLines.contains { $0.contains("leak") || $0.contains(" error ") })
    }

    private static func connect(to path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
        }
        return status == 0 ? descriptor : -1
    }

    /// Watching a large tree takes a while, during which the socket already answers.
    @Test func reloadDuringStartIsAnswered() async throws {
        let daemon = try Daemon(Self.config("one", "files: { paths: [/usr/share], recursive: true }"))
        var answer: ControlAnswer?
        try await eventually("the socket answers", within: .seconds(40)) {
            do {
                answer = try daemon.ask(.reload)
                return true
            } catch let error as SystemError where [ENOENT, ECONNREFUSED].contains(error.number) {
                return false
            }
        }
        #expect(answer == ControlAnswer("reloaded \(daemon.config.path): 1 source, 1 pipeline"))
        try await daemon.child.said("ready after")
        try await daemon.stop()
    }

    @Test func reloadDuringStopIsRefused() async throws {
        let flag = "/tmp/rxwatchd-flag-\(UUID().uuidString)"
        let work = "echo >\(flag); while [ -e \(flag) ]; do sleep 0.05; done"
        let config = Self.config("one").replacingOccurrences(of: "resources: 1h", with: "drain: 10min")
            .replacingOccurrences(of: "journal: \"one\"", with: "command: { run: [sh, -c, '\(work)'] }")
        let daemon = try Daemon(config)
        try await daemon.child.said("ready after")
        try await eventually("the command runs") { access(flag, F_OK) == 0 }
        daemon.child.send(SIGTERM)
        try await daemon.child.said("stopping on SIGTERM")
        #expect(try daemon.ask(.reload) == ControlAnswer("stopping on SIGTERM", exitCode: 1))
        unlink(flag)
        #expect(try await daemon.child.exitCode() == 0)
    }

    /// A credential that only the service has is shown neither in answers nor in records.
    @Test func missingCredentialIsReportedAndNeverShown() async throws {
        let source = "command: { run: [echo, \"is ${credential:token}\"], every: 1h }"
        let daemon = try Daemon(Self.config("said {{.stdout}}", source), credentials: ["token": "hunter2-Z9"])
        try await daemon.child.said("said is ${credential:token}")
        var answers = try [daemon.ask(.status)]
        try daemon.config.write(Self.config("two", source.replacingOccurrences(of: "token", with: "tokn")))
        let refusal = try daemon.ask(.reload)
        #expect(refusal.exitCode == 78)
        #expect(refusal.message.hasPrefix("\(daemon.config.path):2:47: there is no credential 'tokn'"), "\(refusal)")
        #expect(daemon.generation == 1)
        try daemon.config.write(
            Self.config("two", "http: { url: \"ftp://${credential:token}/\", every: 1s }"))
        let wrong = try daemon.ask(.reload)
        #expect(wrong.exitCode == 78 && wrong.message.contains("'ftp://${credential:token}' is not a URL"))
        answers += [refusal, wrong]
        try await daemon.stop()
        let said = answers.map(\.json.description) + daemon.child.errorLines + daemon.child.outputLines
        #expect(said.allSatisfy { !$0.contains("hunter2") })
    }

    /// The credentials of the running config are hidden, however many other configs were read and refused meanwhile; so
    /// are their base64 forms.
    @Test func refusedReloadsShowNoCredential() async throws {
        let script = #"echo "failed $T $(printf "user:$T" | base64)" >&2; exit 1"#
        let config = """
            daemon: { resources: 1h }
            sources: { beat: { interval: 20ms } }
            pipelines:
              p: { from: beat, to: [command: { run: [sh, -c, '\(script)'], environment: { T: "${credential:token}" } }] }
            """
        let daemon = try Daemon(config, credentials: ["token": "hunter2-Z9"])
        try await daemon.child.said("failed ${credential:token}")
        try daemon.config.write(
            """
            sources: { log: { journal: { directory: /nonexistent } } }
            pipelines: { p: { from: log, to: [stdout] } }
            """)
        for _ in 0..<3 { #expect(try daemon.ask(.reload).exitCode == 1) }
        let before = daemon.child.errorLines.count { $0.contains("failed ${credential:token}") }
        try await eventually("the command fails again") {
            daemon.child.errorLines.count { $0.contains("failed") } >= before + 3
        }
        try await daemon.stop()
        let said = daemon.child.errorLines
        #expect(said.allSatisfy { !$0.contains("hunter2") && !$0.contains("aHVudGVy") && !$0.contains("odW50ZXIy") })
    }

    /// A source's requirement is missing: the reload fails with the reason, and the running config continues.
    @Test func sourceThatCannotBeArmedFailsReload() async throws {
        let daemon = try Daemon(Self.config("beat {{.tick}}", "interval: 5ms"))
        try await daemon.child.said("beat 3")
        try daemon.config.write(
            Self.config("two", "interval: 5ms").replacingOccurrences(
                of: "sources: {", with: "sources: { log: { journal: {} },"
            ).replacingOccurrences(of: "from: tick", with: "merge: [tick, log]"))
        // Enough for a connection and the config, and not for a journal.
        try daemon.child.allow(descriptors: (daemon.child.descriptors.keys.max() ?? 0) + 3)
        let answer = try daemon.ask(.reload)
        try daemon.child.allow(descriptors: 1024)
        #expect(
            answer.exitCode == 1
                && answer.message.contains(
                    "was not loaded, the previous configuration keeps running: log cannot be armed: "),
            "\(answer)")
        #expect(daemon.generation == 1)
        let beats = daemon.child.errorLines.count { $0.contains(" beat ") }
        try await daemon.child.said(" beat ", times: beats + 3)
        let record = try #require(daemon.child.errorLines.first { $0.contains(" reload ") })
        #expect(record.contains("was not loaded, the previous configuration keeps running: log cannot be armed: "))
        #expect(!daemon.child.errorLines.contains { $0.contains("event     two") })
        try await daemon.stop()
    }
}
