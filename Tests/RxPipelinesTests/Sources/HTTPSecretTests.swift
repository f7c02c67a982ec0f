import Foundation
import RxDiagnostics
import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// What a request is sent with is shown nowhere, even if the server sends it back.
@Suite(.balanced) struct HTTPSecretTests {
    /// The lines and the records of a running configuration.
    private final class Running {
        let lines = Cell<[String]>([])
        let records = Cell<[Record]>([])
        let config: LoadedConfig
        private let graph: Graph

        init(_ text: String) throws {
            config = try LoadedConfig([("t.yaml", Array(text.utf8))], Substitution())
            graph = Graph(
                config.plan, generation: { 1 }, host: Host(), records: SinkRecords(records),
                printLine: { [lines] line, receipt in
                    lines.append(line)
                    receipt.end(.written)
                },
                makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
            graph.start { _ in }
        }

        /// Everything that it has shown, with records as the daemon writes them.
        var output: [String] {
            lines.value
                + records.value.map { $0.hiding(config.secrets) }.flatMap { [$0.message] + $0.fields.map(\.value) }
        }

        func stop() { graph.dispose() }
    }

    /// The value of the header field with which requests are authenticated.
    private static func authorization(_ request: String) -> String {
        request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("authorization: ") }
            .map { String($0.dropFirst(15)) } ?? ""
    }

    /// Refuses each request, and sends back what this one and the earlier ones were authenticated with.
    private func echo() throws -> SinkServer {
        let seen = Cell<[String]>([])
        return try SinkServer { _, request in
            let value = Self.authorization(request)
            seen.update { if !$0.contains(value) { $0.append(value) } }
            let all = seen.value.joined(separator: ", ")
            let decoded = seen.value.compactMap { Data(base64Encoded: String($0.split(separator: " ").last ?? "")) }
                .map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
            let body = #"{"error":"no access with \#(all) (\#(decoded))","\#(value)":1}"#
            return "HTTP/1.1 403 refused \(value)\r\nX-Echo: \(all)\r\nContent-Type: application/json\r\n"
                + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
    }

    private static let source = "sources: { s: { interval: { every: 1h, delay: 0s } } }\n"

    @Test(arguments: [
        ("bearerFile: PATH", "<content of PATH>"), ("user: root, passwordFile: PATH", "<content of PATH>"),
        ("user: root, password: first-T0ken/1", "<password>"),
        ("headers: { authorization: Bearer first-T0ken/1 }", "<password>"),
    ])
    func echoedSecretIsNotInEvents(key: String, shown: String) async throws {
        let folder = try Folder(["token": "first-T0ken/1\n"])
        let server = try echo()
        let key = key.replacing("PATH", with: "\(folder.path)/token")
        let http = "http: { url: '\(server.url)/', \(key)"
        for config in [
            "sources: { s: { \(http), every: 20ms } } }\npipelines: { p: { from: s, to: [stdout] } }",
            Self.source + "pipelines: { p: { from: s, steps: [flatMap: { \(http), every: 20ms } }], to: [stdout] } }",
            Self.source + "pipelines: { p: { from: s, steps: [flatMap: { \(http) } }], to: [stdout] } }",
        ] {
            let running = try Running(config)
            try await eventually("an event is printed") { running.lines.value.contains { $0.contains("no access") } }
            running.stop()
            let output = running.output
            let shown = shown.replacing("PATH", with: "\(folder.path)/token")
            #expect(output.allSatisfy { !$0.contains("first-T0ken") && !$0.contains("Zmlyc3QtVDBrZW4v") }, "\(output)")
            #expect(output.contains { $0.contains(shown) }, "\(output)")
        }
    }

    /// Secrets that the configuration contains as texts.
    @Test(arguments: [
        ("URL://root:first-T0ken%2F1@HOST/", ""), ("URL://the-first-T0ken%2F1@HOST/", ""),
        ("http://elsewhere.invalid/", "proxy: 'URL://u:first-T0ken%2F1@HOST'"),
        ("URL://HOST/", "headers: { X-Api-Key: first-T0ken/1 }"),
        ("URL://HOST/", "headers: { private-token: first-T0ken/1 }"),
        ("URL://HOST/", "headers: { Cookie: 'theme=dark; session=first-T0ken/1' }"),
        ("URL://HOST/", "headers: { Accept: text/plain, X-Auth: first-T0ken/1 }"),
    ])
    func writtenSecretIsNotInEvents(url: String, keys: String) async throws {
        let server = try SinkServer { _, request in
            let decoded = Data(base64Encoded: String(request.dropFirst(4).firstMatch(of: /Basic ([^\r]*)/)?.1 ?? ""))
            let body = "You sent \(request) \(String(decoding: decoded ?? Data(), as: UTF8.self))"
            return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        func filled(_ text: String) -> String {
            text.replacing("URL://", with: "http://").replacing("HOST", with: server.url.dropFirst("http://".count))
        }
        let running = try Running(
            "sources: { s: { http: { url: '\(filled(url))', every: 20ms, \(filled(keys)) } } }\n"
                + "pipelines: { p: { from: s, to: [stdout] } }")
        try await eventually("an event is printed") { running.lines.value.contains { $0.contains("You sent") } }
        running.stop()
        let output = running.output
        #expect(output.allSatisfy { !$0.contains("T0ken") && !$0.contains("Zmlyc3QtVDBrZW4v") }, "\(output)")
        #expect(output.contains { $0.contains("<password>") })
        // An ordinary value is shown.
        #expect(!keys.contains("text/plain") || output.contains { $0.contains("text/plain") })
        #expect(!keys.contains("dark") || output.contains { $0.contains("dark") })
    }

    /// A template makes another secret for each event: the latest ones are known.
    @Test func secretsOfTemplatesAreForgotten() async throws {
        let server = try SinkServer { _, _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" }
        let running = try Running(
            "sources: { s: { interval: { every: 5ms, delay: 0s } } }\n"
                + "pipelines: { p: { from: s, steps: [take: 30], to: [http: { url: '\(server.url)/', proxy: none, "
                + "headers: { Authorization: 'Bearer number-{{.tick}}-of-many' } }] } }")
        try await eventually("all are sent") { server.requests.value.count == 30 }
        #expect(running.config.secrets.redacted("number-29-of-many") == "<password>")
        #expect(running.config.secrets.redacted("number-0-of-many") == "number-0-of-many")
        running.stop()
    }

    /// A server may send back the content that an earlier request was sent with.
    @Test func changedFileIsHiddenBeforeAndAfter() async throws {
        let folder = try Folder(["token": "first-T0ken/1\n"])
        let server = try echo()
        let running = try Running(
            "sources: { s: { http: { url: '\(server.url)/', every: 20ms, bearerFile: \(folder.path)/token } } }\n"
                + "pipelines: { p: { from: s, to: [stdout] } }")
        try await eventually("the first content is sent") { !server.requests.value.isEmpty }
        try "second-T0ken".write(toFile: "\(folder.path)/token", atomically: true, encoding: .utf8)
        try await eventually("both are sent back") {
            running.lines.value.contains { $0.contains(", Bearer <content") }
        }
        running.stop()
        let output = running.output
        #expect(output.allSatisfy { !$0.contains("T0ken") }, "\(output)")
    }

    /// A sink shows nothing of a response but, in an error, the host that it redirects to.
    @Test(arguments: [
        "HTTP/1.1 302 X\r\nLocation: http://TOKEN.invalid/TOKEN\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 307 X\r\nLocation: http://TOKEN.invalid/TOKEN\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 X\r\nLocation: TOKEN://x/\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 X\r\nLocation: http://TOKEN:TOKEN@[TOKEN]/\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 403 TOKEN\r\nTOKEN: TOKEN\r\nContent-Length: 5\r\n\r\nTOKEN",
        "HTTP/TOKEN TOKEN\r\n\r\n", "TOKEN",
        "HTTP/1.1 200 X\r\nContent-Encoding: TOKEN\r\nContent-Length: 5\r\n\r\nTOKEN",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\nTOKEN",
    ])
    func echoedSecretIsNotInFailureOfSink(answer: String) async throws {
        let folder = try Folder(["token": "s3cret-T0ken-of-30-characters.x"])
        let server = try SinkServer { _, request in
            answer.replacing("TOKEN", with: Self.authorization(request).split(separator: " ").last ?? "")
        }
        let running = try Running(
            Self.source + "pipelines: { p: { from: s, to: [http: { url: '\(server.url)/', retry: { times: 0 }, "
                + "proxy: none, method: GET, bearerFile: \(folder.path)/token }], onError: { to: stdout } } }")
        // A sink ignores the body, so that some of the answers are valid.
        try await eventually("the answer is known: \(running.output)") {
            running.records.value.contains { $0.kind == .sink }
        }
        running.stop()
        let output = running.output
        #expect(server.requests.value.contains { $0.text.contains("s3cret-T0ken") })
        #expect(output.allSatisfy { !$0.lowercased().contains("s3cret-t0ken") }, "\(output)")
    }

    /// A password may be an ordinary word, which events of other sources keep.
    @Test func valuesOfOtherSourcesAreKept() async throws {
        let server = try echo()
        let running = try Running(
            Self.source + "pipelines: { p: { from: s, steps: [concatMap: { http: { url: '\(server.url)/', user: u, "
                + "password: guest } }, concatMap: { command: { run: [echo, /home/guest] } }, map: .stdout], to: [stdout] } }"
        )
        try await eventually("the line is printed") { !running.lines.value.isEmpty }
        running.stop()
        #expect(running.lines.value == [#""/home/guest\n""#])
        #expect(running.config.secrets.redacted("guest") == "<password>")
    }

    /// The configuration holds what its requests read for as long as something of it runs.
    @Test func contentIsKnownWhileConfigRuns() async throws {
        let folder = try Folder(["token": "first-T0ken/1"])
        let server = try echo()
        let running = try Running(
            Self.source
                + "pipelines: { p: { from: s, to: [http: { url: '\(server.url)/', bearerFile: \(folder.path)/token }] } }"
        )
        try await eventually("the request is refused") { running.records.value.contains { $0.kind == .sink } }
        #expect(running.config.secrets.redacted("first-T0ken/1") == "<content of \(folder.path)/token>")
        #expect(running.config.secrets.redacted("first-T0ken/2") == "first-T0ken/2")
        running.stop()
    }
}
