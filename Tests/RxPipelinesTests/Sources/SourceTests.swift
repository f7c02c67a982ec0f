import ConfigTestSupport
import Dispatch
import Glibc
import RxDiagnostics
import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// Tests of sources that watch the real host.
@Suite(.balanced) struct SourceTests {
    /// Runs a configuration on real schedulers until the lines that it prints satisfy `isDone`.
    private func run(
        _ config: String, once armed: @escaping () -> Void = {}, until isDone: @escaping ([String]) -> Bool
    ) async throws -> [String] {
        let lines = Cell<[String]>([])
        let isArmed = Cell(false)
        var graph: Graph? = Graph(
            try Plan.read(config.utf8, file: "t.yaml"), generation: { 1 }, host: Host(), records: DiscardedRecords(),
            printLine: { line, receipt in
                lines.append(line)
                receipt.end(.written)
            },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        graph?.start { _ in isArmed.update { $0 = true } }
        try await eventually("the source is armed") { isArmed.value }
        armed()
        try await eventually("\(lines.value)") { isDone(lines.value) }
        graph?.dispose()
        graph = nil
        return lines.value
    }

    private struct DiscardedRecords: RecordWriter {
        func write(_ record: Record) {}
    }

    /// `check` warns about other members than these, and constants of another type.
    @Test(arguments: [
        "interval: { every: 1h, delay: 0s }", "http: { url: 'http://127.0.0.1:1', every: 1h }",
        "command: { run: [sh, -c, 'echo x'], every: 1h }", "files: { paths: FOLDER, existing: true }",
    ])
    func membersAreThoseOfEvents(source: String) async throws {
        let directory = TemporaryDirectory()
        directory.write("a", "")
        let config = """
            sources: { s: { \(source.replacing("FOLDER", with: directory.path)) } }
            pipelines: { p: { from: s, steps: [take: 1], to: [stdout] } }
            """
        let lines = try await run(config, until: { $0.count == 1 })
        let type = try #require(try Plan.read(config.utf8, file: "t.yaml").sources.first?.kind.valueType)
        let members = try #require(type.members)
        let value = try JSON(parsing: Array(lines[0].utf8))
        // A command has an error only if there is no memory for its output.
        #expect(
            value.object?.keys.sorted() == members.filter { $0 != "error" || !source.hasPrefix("command") }.sorted())
        #expect(type.admits(value), "\(value)")
    }

    @Test func filesSourceEmitsChanges() async throws {
        let directory = TemporaryDirectory()
        let folder = directory.path
        let lines = try await run(
            """
            sources: { s: { files: { paths: \(folder), include: ["*.pem"] } } }
            pipelines: { p: { from: s, steps: [map: "[.kind, .path, .from, .directory, .size, .synthetic, .existing, .mtime > 1.6e9]"], to: [stdout] } }
            """,
            once: {
                for name in ["a.txt", "a.pem"] { directory.write(name, "") }
            }, until: { $0.count == 1 })
        let expected = #"["created","\#(folder)/a.pem",null,false,0,false,false,true]"#
        #expect(lines == [expected])
    }

    @Test func commandSourceEmitsOutput() async throws {
        let lines = try await run(
            """
            sources: { s: { command: { run: [sh, -c, "echo out; echo err >&2; exit 3"], every: 1h } } }
            pipelines: { p: { from: s, steps: [map: "[.exit, .signal, .stdout, .stderr, .timedOut]"], to: [stdout] } }
            """, until: { $0.count == 1 })
        #expect(lines == [#"[3,null,"out\n","err\n",false]"#])
    }

    /// A command that an event starts may run again after a crash, which it can recognize by the ID.
    @Test func innerCommandHasEventIDInEnvironment() async throws {
        let lines = try await run(
            #"""
            sources: { s: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p:
                from: s
                steps:
                  - concatMap:
                      command: { run: [sh, -c, 'printf "%s %s %s" "$RX_PIPELINE" "$RX_EVENT_ID" "$RX_VALUE"'] }
                      map: '.stdout | split(" ") | [.[:2] == ["p", $event.id], (.[2] | fromjson) == $outer]'
                to: [stdout]
            """#, until: { $0.count == 1 })
        #expect(lines == ["[true,true]"])
    }

    /// Requests with effects have the event's ID; a request that only reads has none, and a request with a key of its
    /// own keeps that.
    @Test func innerRequestHasIdempotencyKey() async throws {
        let server = try SinkServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        let lines = try await run(
            """
            sources: { s: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p:
                from: s
                steps:
                  - concatMap: { http: { url: "\(server.url)/{{.tick}}", method: POST }, map: $outer }
                  - concatMap: { http: { url: "\(server.url)/{{.tick}}" }, map: $outer }
                  - concatMap: { http: { url: "\(server.url)", method: PUT, headers: { Idempotency-Key: own } }, map: $event.id }
                to: [stdout]
            """, until: { $0.count == 1 })
        let keys = server.requests.value.map { request in
            request.text.split(separator: "\r\n").first { $0.hasPrefix("Idempotency-Key: ") }?.dropFirst(17)
        }
        let id = try #require(lines.first).dropFirst().dropLast()
        #expect(keys == ["p/0:\(id)", nil, "own"])
    }

    @Test func failedCommandStartIsEvent() async throws {
        let lines = try await run(
            """
            sources: { s: { command: { run: [/nonexistent], every: 1h } } }
            pipelines: { p: { from: s, steps: [map: .error], to: [stdout] } }
            """, until: { $0.count == 1 })
        #expect(lines[0].hasPrefix("\"cannot start '/nonexistent': "), "\(lines)")
        let keys = try await run(
            """
            sources: { s: { command: { run: [/nonexistent], every: 1h } } }
            pipelines: { p: { from: s, steps: [map: '[keys[], .duration]'], to: [stdout] } }
            """, until: { $0.count == 1 })
        #expect(
            keys == [#"["duration","error","exit","signal","stderr","stdout","timedOut","truncated",0]"#])
    }

    @Test func refusedConnectionIsEvent() async throws {
        let lines = try await run(
            """
            sources: { s: { http: { url: "http://127.0.0.1:1/", every: 1h, timeout: 3s } } }
            pipelines: { p: { from: s, steps: [map: "[.ok, .status, .error.code, .changed]"], to: [stdout] } }
            """, until: { $0.count == 1 })
        #expect(lines == [#"[false,null,"connect",false]"#])
        // The rest of an address may be a secret.
        let messages = try await run(
            """
            sources: { s: { http: { url: "http://u:p@127.0.0.1:1/a/hook?b", every: 1h, timeout: 3s } } }
            pipelines: { p: { from: s, steps: [map: .error.message], to: [stdout] } }
            """, until: { $0.count == 1 })
        #expect(messages[0].hasPrefix("\"GET http://127.0.0.1:1: cannot connect"), "\(messages)")
    }

    /// The caret points at the error.
    @Test(arguments: [
        ("files: { paths: [/a, b, /c] }", 38), ("http: { url: x, every: 1s }", 30), ("unit: nginx", 23),
        ("http: { url: http://x/, every: 1s, expect: { status: [200, 2xx] } }", 70),
        ("http: { url: http://x/, every: 1s, method: get }", 60),
        ("journal: { match: { UNIT: a, unit: b } }", 46),
    ])
    func errorsHaveTheirLocation(source: String, column: Int) {
        let found = complaints { () throws(Diagnostics) in
            _ = try Plan.read(
                "sources: { s: { \(source) } }\npipelines: { p: { from: s, to: [stdout] } }".utf8, file: "t.yaml")
        }
        #expect(found.count == 1 && found[0].hasPrefix("1:\(column): "), "\(found)")
    }

    @Test(
        arguments: [
            ("http: { url: 'https://', every: 1s }", "'https://' is not a URL: the server is missing"),
            ("http: { url: 'https://u@:80/', every: 1s }", "the server is missing"),
            ("http: { url: 'https://a b/', every: 1s }", "it has a space or a control character in it"),
            ("http: { url: 'http://a', every: 1s, method: get }", "did you mean 'GET'?"),
            ("http: { url: 'http://a', every: 1s, headers: { A: \"b\\rc\" } }", "this has a line end or a NUL in it"),
            ("http: { url: 'http://a', every: 1s, headers: { 'a:': b } }", "'a:' is not the name of a header field"),
            (
                "http: 'http://a'",
                "http needs a mapping; found 'http://a'; write { url: \"http://a\", every: 15s }"
            ),
            ("http: { url: 'http://a', every: 1s, expect: 200 }", "expect needs a mapping of status; found '200'"),
            (
                "journal: { match: { unit: sshd } }",
                "'unit' is not the name of a journal field: these have capital letters, digits and '_', such as "
                    + "_SYSTEMD_UNIT"
            ),
            ("journal: { match: { unit: sshd } }", "; did you mean '_SYSTEMD_UNIT'?"),
            ("journal: { match: { priority: 3 } }", "; did you mean 'PRIORITY'?"),
            (
                "journal: { match: { __CURSOR: x } }",
                "'__CURSOR' is an address field of the journal, by which entries cannot be found"
            ),
            (
                "command: [ls, -l]",
                "command needs a mapping of run, every, delay, timeout, directory, inFlight; found a list; write "
                    + "{ run: [ls, -l], every: 1min }"
            ),
            ("http: 3", "http needs a mapping; found '3'; write { url: https://example.com, every: 15s }"),
            ("command: df", "command needs a mapping of run, every, delay, timeout, directory, inFlight; found 'df'"),
            ("files: relative/path", "is a relative path; begin it with '/'"),
            ("files: { paths: [/a], events: [changed] }", "expected one of created, modified, removed, moved"),
            ("http: { url: ftp://a, every: 1s }", "is not a URL"),
            ("http: { url: 'http://a', every: 1s, timeout: 2s }", "a timeout of 2s is longer than the 1s"),
            ("http: { url: 'http://a', every: 1s, expect: { status: [399-200] } }", "a status is a number from 100 on"),
            (
                "http: { url: 'http://a', every: 1s, bearerFile: /t, user: u }",
                "are two methods of authentication; remove one"
            ),
            ("http: { url: 'http://a', every: 1s, password: p }", "'password' needs 'user'; add it"),
            (
                "http: { url: 'http://a', every: 1s, user: u, password: p, passwordFile: /p }",
                "'password' and 'passwordFile' exclude each other; remove one"
            ),
            ("http: { url: 'http://a', every: 1s, key: /k }", "'key' needs 'certificate'; add it"),
            (
                "http: { url: 'http://a', every: 1s, proxy: ftp://a }",
                "'ftp://a' is not a proxy: it must begin with http://"
            ),
            ("http: { url: 'http://a', every: 1s, minimumTLS: 1.3 }", "expected one of TLSv1.2, TLSv1.3, found '1.3'"),
            ("http: { url: 'http://a', every: 1s, family: ipv5 }", "expected one of any, ipv4, ipv6"),
            ("command: { run: [], every: 1s }", "a command needs a program"),
            (
                "command: { run: [df -h, /], every: 1s }",
                "'df -h' is not a program: write its arguments apart, as in [df, -h]"
            ),
            ("command: { run: [df], every: 1s, timeout: 2s }", "a timeout of 2s is longer than the 1s"),
            ("unit: nginx", "its type is missing; write for example nginx.service"),
            ("journal: { mtach: {} }", "unknown key 'mtach' in journal; did you mean 'match'?"),
        ]) func invalidSourcesAreErrors(source: String, complaint: String)
    {
        let found = complaints { () throws(Diagnostics) in
            _ = try Plan.read(
                "sources: { s: { \(source) } }\npipelines: { p: { from: s, to: [stdout] } }".utf8, file: "t.yaml")
        }
        #expect(found.count == 1 && found[0].hasPrefix("1:") && found[0].contains(complaint), "\(found)")
    }
}
