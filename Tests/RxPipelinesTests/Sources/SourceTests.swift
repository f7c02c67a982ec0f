import Dispatch
import Glibc
import RxEngine
import RxPipelines
import TestSupport
import Testing

/// Sources that watch the real host.
@Suite(.balanced) struct SourceTests {
    /// Runs a config on real schedulers until `isDone` of the lines that it prints.
    private func run(
        _ config: String, once armed: @escaping () -> Void = {}, until isDone: @escaping ([String]) -> Bool
    ) async throws -> [String] {
        let lines = Box<[String]>([])
        let isArmed = Box(false)
        var graph: Graph? = Graph(
            try Plan.read(config.utf8, file: "t.yaml"), generation: { 1 }, host: Host(), records: Nowhere(),
            printLine: { line, _ in lines.append(line) },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        graph?.start { _ in isArmed.update { $0 = true } }
        try await eventually("it is armed") { isArmed.value }
        armed()
        try await eventually("\(lines.value)") { isDone(lines.value) }
        graph?.dispose()
        graph = nil
        return lines.value
    }

    private struct Nowhere: RecordWriter {
        func write(_ record: Record) {}
    }

    @Test func files() async throws {
        var template = Array("/tmp/rx-source-XXXXXX".utf8CString)
        let folder = mkdtemp(&template).map { String(cString: $0) } ?? ""
        defer { rmdir(folder) }
        let lines = try await run(
            """
            sources: { s: { files: { paths: \(folder), include: ["*.pem"] } } }
            pipelines: { p: { from: s, to: [stdout] } }
            """,
            once: {
                for name in ["a.txt", "a.pem"] { close(open("\(folder)/\(name)", O_CREAT | O_WRONLY, 0o600)) }
            }, until: { $0.count == 1 })
        #expect(
            lines == [#"{"kind":"created","path":"\#(folder)/a.pem","from":null,"directory":false,"synthetic":false}"#])
        for name in ["a.txt", "a.pem"] { unlink("\(folder)/\(name)") }
    }

    @Test func commands() async throws {
        let lines = try await run(
            """
            sources: { s: { command: { run: [sh, -c, "echo out; echo err >&2; exit 3"], every: 1h } } }
            pipelines: { p: { from: s, steps: [map: "[.exit, .signal, .stdout, .stderr, .timedOut]"], to: [stdout] } }
            """, until: { $0.count == 1 })
        #expect(lines == [#"[3,null,"out\n","err\n",false]"#])
    }

    @Test func aCommandThatCannotBeStartedIsAnEvent() async throws {
        let lines = try await run(
            """
            sources: { s: { command: { run: [/nonexistent], every: 1h } } }
            pipelines: { p: { from: s, steps: [map: .error], to: [stdout] } }
            """, until: { $0.count == 1 })
        #expect(lines[0].hasPrefix("\"cannot start '/nonexistent': "), "\(lines)")
    }

    @Test func anEndpointThatNobodyListensAt() async throws {
        let lines = try await run(
            """
            sources: { s: { http: { url: "http://127.0.0.1:1/", every: 1h, timeout: 3s } } }
            pipelines: { p: { from: s, steps: [map: "[.ok, .status, .error.code, .changed]"], to: [stdout] } }
            """, until: { $0.count == 1 })
        #expect(lines == [#"[false,null,"connect",false]"#])
    }

    @Test(
        arguments: [
            ("files: relative/path", "is relative to a directory that the daemon may not have"),
            ("files: { paths: [/a], events: [changed] }", "expected one of created, modified, removed, moved"),
            ("http: { url: ftp://a, every: 1s }", "is no URL"),
            ("http: { url: 'http://a', every: 1s, timeout: 2s }", "a timeout of 2s is longer than the 1s"),
            ("http: { url: 'http://a', every: 1s, expect: { status: [399-200] } }", "a status is a number from 100 on"),
            ("command: { run: [], every: 1s }", "a command needs a program"),
            ("command: { run: [df], every: 1s, timeout: 2s }", "a timeout of 2s is longer than the 1s"),
            ("unit: nginx", "ends in its type, such as nginx.service"),
            ("journal: { mtach: {} }", "unknown key 'mtach' in journal; did you mean 'match'?"),
        ]) func whatIsWrong(source: String, complaint: String)
    {
        let found = complaints { () throws(Diagnostics) in
            _ = try Plan.read(
                "sources: { s: { \(source) } }\npipelines: { p: { from: s, to: [stdout] } }".utf8, file: "t.yaml")
        }
        #expect(found.count == 1 && found[0].hasPrefix("1:") && found[0].contains(complaint), "\(found)")
    }
}
