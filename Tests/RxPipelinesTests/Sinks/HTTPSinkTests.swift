import RxEngine
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct HTTPSinkTests {
    /// The first line of a request, its header fields by their lowercase names, and its body.
    private func parts(_ request: String) -> (line: String, headers: [String: String], body: String) {
        let halves = request.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = halves[0].split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            headers[pair[0].lowercased()] = pair.count > 1 ? String(pair[1].dropFirst()) : ""
        }
        return (String(lines.first ?? ""), headers, halves.count > 1 ? String(halves[1]) : "")
    }

    @Test(
        arguments: [
            ("", "POST /e/7 HTTP/1.1", #"{"n":7}"#, "application/json"),
            (", method: PUT", "PUT /e/7 HTTP/1.1", #"{"n":7}"#, "application/json"),
            (", method: GET", "GET /e/7 HTTP/1.1", "", nil),
            (#", body: '{"text": {{.n}}}'"#, "POST /e/7 HTTP/1.1", #"{"text": 7}"#, "application/json"),
            (", body: 'n is {{.n}}'", "POST /e/7 HTTP/1.1", "n is 7", "text/plain; charset=utf-8"),
            (", headers: { content-type: a/b }", "POST /e/7 HTTP/1.1", #"{"n":7}"#, "a/b"),
        ] as [(String, String, String, String?)])
    func eventIsSentAsRequest(more: String, line: String, body: String, type: String?) async throws {
        let server = try SinkServer(answer(204))
        let rig = try SinkRig("http: { url: '\(server.url)/e/{{.n}}'\(more) }")
        try rig.give(["n": 7])
        try await rig.finish()
        let request = parts(server.requests.value.first?.text ?? "")
        #expect(request.line == line && request.body == body && request.headers["content-type"] == type)
        #expect(server.requests.value.count == 1 && rig.problems == [])
    }

    @Test func headersAreTemplates() async throws {
        let server = try SinkServer(answer(200))
        let rig = try SinkRig("http: { url: '\(server.url)', headers: { X-Cause: '{{$event.cause}}', X-A: '{{.a}}' } }")
        try rig.give(["a": "b"], ["a": "b\r\nX-Evil: 1"])
        try await rig.finish()
        let headers = parts(server.requests.value.first?.text ?? "").headers
        #expect(headers["x-cause"] == "tick:0" && headers["x-a"] == "b")
        #expect(headers["user-agent"]?.hasPrefix("rxwatchd/") == true)
        #expect(server.requests.value.count == 1)
        #expect(rig.problems.count == 1 && rig.problems.first?.contains("X-A has a line end") == true)
    }

    /// A server that has received an event recognizes it, whichever process sends it.
    @Test func redeliveredEventHasSameIdempotencyKey() async throws {
        let server = try SinkServer(answer(200))
        let config = """
            sources: { tick: { interval: 1h } }
            pipelines:
              p: { from: tick, to: [http: '\(server.url)/first', http: '\(server.url)/second'] }
              q: { from: tick, to: [http: { url: '\(server.url)/own', headers: { idempotency-key: 'mine-{{.n}}' } }] }
            """
        func event(_ number: UInt64) -> UnsettledEvent {
            UnsettledEvent(
                SourceEvent("tick", run: "r", sequence: number, time: 1, isRedelivered: true),
                ["n": .number(Double(number))])
        }
        func keys() -> [String] {
            server.requests.value.map { request in
                let request = parts(request.text)
                let path = request.line.split(separator: " ")[1]
                return "\(path) \(request.headers["idempotency-key"] ?? "none")"
            }
        }
        let expected = [
            "/first p/http/tick:r:3", "/first p/http/tick:r:4", "/own mine-3", "/own mine-4",
            "/second p/http-2/tick:r:3", "/second p/http-2/tick:r:4",
        ]
        // The second process does not know that the first has sent them.
        for process in 1...2 {
            var graph: Graph? = Graph(
                try Plan.read(config.utf8, file: "t.yaml"), generation: { 1 }, host: Host(),
                records: SinkRecords(Cell([])), printLine: { $1.end(.written) },
                resuming: Snapshot(events: [event(3), event(4)]),
                makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
            graph?.start { _ in }
            try await eventually("all are sent: \(keys())") {
                server.requests.value.count == process * expected.count && graph?.unsettledCount == 0
            }
            #expect(keys().suffix(expected.count).sorted() == expected)
            graph?.dispose()
            graph = nil
        }
    }

    /// The server has acted on the request: a body that is long or truncated does not repeat it.
    @Test(arguments: [100, 40_000_000]) func acceptedRequestNeedsNoBody(length: Int) async throws {
        let server = try SinkServer("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nx")
        let rig = try SinkRig("http: { url: '\(server.url)', retry: { times: 1, delay: 10ms } }")
        try rig.give(1)
        try await rig.finish()
        #expect(server.requests.value.count == 1 && rig.problems == [])
        #expect(rig.done == ["tick:0 p: http done: POST \(server.url)"])
    }

    @Test func requestHasUserAgent() async throws {
        let server = try SinkServer(answer(200))
        let rig = try SinkRig("http: { url: '\(server.url)', user: monitor, password: 'open: sesame', proxy: none }")
        try rig.give(1)
        try await rig.finish()
        let headers = parts(server.requests.value.first?.text ?? "").headers
        #expect(headers["authorization"] == "Basic bW9uaXRvcjpvcGVuOiBzZXNhbWU=")
        #expect(rig.problems == [])
    }

    @Test(arguments: [408, 425, 429, 500, 503, 599]) func temporaryFailuresAreRetried(status: Int) async throws {
        let server = try SinkServer(answer(status), "", answer(status), answer(201))
        let rig = try SinkRig("http: { url: '\(server.url)', retry: { backoff: 10ms..20ms } }")
        try rig.give(1)
        try await rig.finish()
        #expect(server.requests.value.count == 4 && rig.problems == [])
        #expect(rig.done == ["tick:0 p: http done: POST \(server.url)"])
    }

    @Test(arguments: [301, 400, 401, 403, 404, 410, 422]) func permanentFailuresAreNotRetried(status: Int) async throws
    {
        let server = try SinkServer(answer(status), answer(200))
        let rig = try SinkRig(
            "http: { url: 'http://user:pass@127.0.0.1:\(server.port)/secret', retry: { delay: 10ms } }")
        try rig.give(1, 2)
        try await rig.finish()
        #expect(server.requests.value.count == 2)
        #expect(
            rig.problems == [
                "p: http failed: POST http://127.0.0.1:\(server.port): the server answered \(status)"
            ])
        #expect(rig.records.value.first?[.cause] == "tick:0")
    }

    @Test func retriesAreLimited() async throws {
        let server = try SinkServer(answer(502))
        let rig = try SinkRig("http: { url: '\(server.url)', retry: { times: 2, backoff: 10ms..20ms } }")
        try rig.give(1)
        try await rig.finish()
        #expect(server.requests.value.count == 3)
        #expect(rig.problems == ["p: http failed: POST \(server.url): the server answered 502; tried 3 times"])
        let none = try SinkRig("http: { url: '\(server.url)', retry: 0 }")
        try none.give(1)
        try await none.finish()
        #expect(server.requests.value.count == 4 && none.problems.count == 1)
    }

    @Test func refusedConnectionIsRetried() async throws {
        let rig = try SinkRig("http: { url: 'http://127.0.0.1:1/', retry: { times: 1, delay: 10ms } }")
        try rig.give(1)
        try await rig.finish()
        #expect(rig.problems.count == 1)
        #expect(rig.problems.first?.hasSuffix("; tried 2 times") == true, "\(rig.problems)")
    }

    /// The rest of a webhook's address is its password.
    @Test func failuresShowOnlyServerOfAddress() async throws {
        let rig = try SinkRig("http: { url: 'http://u:pass@127.0.0.1:1/hook-path?key=hook-query', retry: 0 }")
        try rig.give(1)
        try await rig.finish()
        let record = try #require(rig.records.value.first)
        let error = record[.error] ?? ""
        #expect(error.hasPrefix("POST http://127.0.0.1:1: cannot connect"), "\(error)")
        #expect(record.message == "p: http failed: \(error)")
        #expect(!"\(record)".contains("hook-") && !"\(record)".contains("pass"))
    }

    @Test(arguments: [
        "Retry-After: 1", "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\nRetry-After: Thu, 01 Jan 2026 00:00:01 GMT",
    ])
    func retryAfterIsHonoured(header: String) async throws {
        let server = try SinkServer(answer(429, header), answer(200))
        let rig = try SinkRig("http: { url: '\(server.url)', retry: { delay: 10ms } }")
        try rig.give(1)
        try await rig.finish()
        let times = server.requests.value.map(\.at)
        #expect(times.count == 2 && times[1] - times[0] >= .milliseconds(990) && rig.problems == [])
    }

    /// Also the pause that a server has asked for.
    @Test(arguments: ["10ms", "1h..1h"]) func pauseIsEndedOnRequest(pause: String) async throws {
        let server = try SinkServer(answer(429, "Retry-After: 1000"), answer(200))
        let key = pause.contains(".") ? "backoff" : "delay"
        let rig = try SinkRig("http: { url: '\(server.url)', retry: { \(key): \(pause) } }")
        try rig.give(1)
        try await eventually("the server has a request") { server.requests.value.count == 1 }
        try await eventually("the request is repeated") {
            rig.sink?.endPauses()
            return server.requests.value.count == 2
        }
        try await rig.finish()
        #expect(rig.problems == [])
    }

    @Test func pauseOfFailedRequestDelaysNoOther() async throws {
        let server = try SinkServer(answer(429, "Retry-After: 1000"), answer(200))
        let rig = try SinkRig("http: { url: '\(server.url)', retry: 0 }")
        try rig.give(1, 2)
        try await rig.finish()
        #expect(server.requests.value.count == 2 && rig.problems.count == 1, "\(rig.problems)")
    }

    @Test func disposeCancelsRequest() async throws {
        let server = try SinkServer(answer(429, "Retry-After: 1000"))
        let rig = try SinkRig("http: { url: '\(server.url)' }")
        try rig.give(1, 2)
        try await eventually("the server has the request") { server.requests.value.count == 1 }
        rig.sink?.dispose()
        #expect(rig.sink?.dropped == 2 && rig.sink?.queued == 0)
    }

    /// Another server receives neither the event nor a header field, whatever the first server answers.
    @Test(arguments: [301, 302, 307, 308]) func redirectSendsNothingToOtherServer(status: Int) async throws {
        let other = try SinkServer(answer(200))
        let server = try SinkServer(answer(status, "Location: \(other.url)/path-of-other"))
        let rig = try SinkRig("http: { url: '\(server.url)/hook', headers: { X-Token: mine }, retry: { delay: 10ms } }")
        try rig.give(["n": 7])
        try await rig.finish()
        #expect(other.requests.value.isEmpty && server.requests.value.count == 1)
        #expect(rig.problems.count == 1)
        #expect(
            rig.problems.first?.hasPrefix(
                "p: http failed: POST \(server.url): the server redirects to \(other.url), which does not get the body")
                == true, "\(rig.problems)")
        #expect(!"\(rig.records.value)".contains("path-of-other") && !"\(rig.records.value)".contains("hook"))
    }

    @Test(arguments: [(302, "", 2), (307, "", 2), (302, ", redirects: 0", 1), (307, ", redirects: 1", 2)])
    func redirectsAreFollowedIfConfigured(status: Int, more: String, count: Int) async throws {
        let server = try SinkServer(answer(status, "Location: /second"), answer(200))
        let rig = try SinkRig("http: { url: '\(server.url)/first', headers: { X-Token: mine }\(more) }")
        try rig.give(["n": 7])
        try await rig.finish()
        #expect(server.requests.value.count == count)
        for request in server.requests.value {
            let (_, headers, body) = parts(request.text)
            #expect(headers["x-token"] == "mine" && headers["idempotency-key"]?.hasSuffix("/tick:0") == true)
            #expect(headers["content-type"] == "application/json" && body == #"{"n":7}"#)
        }
        let refusal = "p: http failed: POST \(server.url): the server answered \(status)"
        #expect(rig.problems == (count == 1 ? [refusal] : []))
    }

    @Test func invalidAddressIsReported() async throws {
        let rig = try SinkRig("http: { url: '{{.}}' }")
        try rig.give("nonsense")
        try await rig.finish()
        #expect(rig.problems == ["p: http failed: POST a URL: a URL must begin with http:// or https://"])
    }
}
