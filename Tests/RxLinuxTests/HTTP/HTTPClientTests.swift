import LoopbackServer
import RxEngine
import RxLinux
import TestSupport
import Testing

@Suite(.balanced) struct HTTPClientTests {
    @Test func requestIsSentUnchanged() async throws {
        let server = try RawServer.answering(
            ok("fine", "X-Twice: 1", "x-twice:  2 ", "X-Folded: a\r\n\t b"))
        let table: [(HTTPRequest, [String], not: [String])] = [
            (
                HTTPRequest(server.url("/a?b=c")), ["GET /a?b=c HTTP/1.1\r\n", "User-Agent: test\r\n"],
                ["Content-"]
            ),
            (HTTPRequest(server.url(), method: "HEAD"), ["HEAD / HTTP/1.1\r\n"], ["Content-"]),
            (HTTPRequest(server.url(), method: "DELETE"), ["DELETE / HTTP/1.1\r\n"], ["Content-"]),
            (
                HTTPRequest(server.url(), method: "POST"), ["POST / ", "Content-Length: 0\r\n"], ["Expect"]
            ),
            (
                HTTPRequest(server.url(), method: "POST", body: []), ["POST / ", "Content-Length: 0\r\n"],
                ["Content-Type"]
            ),
            (
                HTTPRequest(server.url(), method: "PUT", body: Array("a\0b".utf8)),
                ["PUT / ", "Content-Length: 3\r\n", "\r\n\r\na\0b"], ["Content-Type"]
            ),
            (
                HTTPRequest(
                    server.url(), headers: ["X-Empty": "", "accept": "text/*", "User-Agent": "other"]),
                ["X-Empty:\r\n", "accept: text/*\r\n", "User-Agent: other\r\n"], ["Accept: */*", "test"]
            ),
            (
                HTTPRequest(server.url(), authentication: .basic(user: "me", password: .text("secret"))),
                ["Authorization: Basic bWU6c2VjcmV0\r\n"], []
            ),
        ]
        let client = HTTPClient(userAgent: "test")
        for (number, (request, parts, others)) in table.enumerated() {
            let response = try await client.response(to: request).value
            #expect(response.body.text == (request.method == "HEAD" ? "" : "fine"))
            #expect(
                response.headers.values(of: "X-TWICE") == ["1", "2"]
                    && response.headers["x-folded"] == "a b")
            let sent = server.requests.value[number]
            for part in parts { #expect(sent.contains(part), "\(part) in \(sent)") }
            for other in others { #expect(!sent.contains(other), "\(other) in \(sent)") }
        }
        #expect(server.accepted.value == 1)
    }

    @Test(
        arguments: [
            ("Retry-After: 120", .seconds(120)), ("retry-after:0", .zero), ("Retry-After: ", nil),
            ("X: 1", nil),
            ("Retry-After: -5", nil), ("Retry-After: 1.5", nil), ("Retry-After: 1h", nil),
            ("Retry-After: soon", nil),
            ("Retry-After: 99999999999999999999", .seconds(Int64.max)),
            // Relative to the server's date.
            (
                "Date: Sat, 01 Jan 2000 00:00:00 GMT\r\nRetry-After: Sat, 01 Jan 2000 00:01:30 GMT",
                .seconds(90)
            ),
            ("Date: Sat, 01 Jan 2000 00:00:00 GMT\r\nRetry-After: Fri, 31 Dec 1999 23:00:00 GMT", .zero),
            ("Retry-After: Sat, 01 Jan 2000 00:01:30 GMT", .zero),
        ] as [(String, Duration?)])
    func retryAfterIsParsed(header: String, span: Duration?) async throws {
        let server = try RawServer.answering(ok("", header))
        #expect(try await HTTPClient().response(to: HTTPRequest(server.url())).value.retryAfter == span)
    }

    @Test(arguments: [
        ("application/json", true), ("Application/JSON; charset=utf-8", true), ("text/json", true),
        ("application/problem+json", true), (" application/json ;x", true),
        ("application/jsonp", false),
        ("text/plain; application/json", false), ("json", false), ("", false),
    ]) func jsonIsRecognizedByContentType(type: String, isJSON: Bool) {
        let response = HTTPResponse(status: 200, headers: ["content-type": type])
        #expect(response.isJSON == isJSON)
    }

    @Test func concurrencyIsLimited() async throws {
        let server = try RawServer { peer in
            while peer.request() != nil {
                peer.wait(milliseconds: 5)
                peer.send(ok("fine"))
            }
        }
        let client = HTTPClient(limits: .init(concurrency: 4))
        let waited = Cell<[Duration]>([])
        let bag = DisposeBag()
        for _ in 0..<40 {
            client.outcome(of: HTTPRequest(server.url())).subscribe {
                if let outcome = try? $0.get(), outcome.ok { waited.append(outcome.timing.waited) }
            }
            .disposed(by: bag)
        }
        try await eventually("all requests have ended") { waited.value.count == 40 }
        #expect(server.maximumOpen.value <= 4)
        #expect(waited.value.contains { $0 >= .milliseconds(5) })
    }

    @Test func disposeClosesConnection() async throws {
        let server = try RawServer { peer in
            peer.request()
            peer.waitForEnd()
        }
        let outcomes = Cell(0)
        let client = HTTPClient(limits: .init(concurrency: 1))
        let first = client.outcome(of: HTTPRequest(server.url())).subscribe { _ in
            outcomes.update { $0 += 1 }
        }
        let waiting = client.outcome(of: HTTPRequest(server.url())).subscribe { _ in
            outcomes.update { $0 += 1 }
        }
        try await eventually("a request has arrived") { server.requests.value.count == 1 }
        waiting.dispose()
        first.dispose()
        try await eventually("the connection is closed") { server.open.value == 0 }
        #expect(outcomes.value == 0 && server.accepted.value == 1)
    }

    @Test func threadAndConnectionsEndWithClient() async throws {
        let server = try RawServer.answering(ok("fine"))
        try await eventually("the threads of other clients have ended") { loops() == 0 }
        var client: HTTPClient? = HTTPClient()
        #expect(loops() == 0)
        #expect(try await client?.outcome(of: HTTPRequest(server.url())).value.ok == true)
        #expect(loops() == 1 && server.open.value == 1)
        client = nil
        try await eventually("the thread has ended") { loops() == 0 && server.open.value == 0 }
    }

    @Test func runningRequestOutlivesClient() async throws {
        let server = try RawServer.answering(ok("fine"))
        let response = HTTPClient().response(to: HTTPRequest(server.url()))
        #expect(try await response.value.body.text == "fine")
        #expect(try await response.value.body.text == "fine")
    }

    @Test func noDescriptorIsInherited() async throws {
        let server = try RawServer.answering(ok("fine"))
        let before = inheritable()
        let client = HTTPClient()
        // A host name needs the resolver's thread, which has descriptors of its own.
        for host in ["localhost", "127.0.0.1"] {
            let request = HTTPRequest(server.url(host: host))
            #expect(try await client.outcome(of: request).value.ok)
            #expect(inheritable().subtracting(before).isEmpty)
        }
        withExtendedLifetime(client) {}
    }

    @Test func manyServersHaveConnectionsOfTheirOwn() async throws {
        let server = try RawServer.answering(ok("fine"))
        let before = inheritable()
        let client = HTTPClient()
        let route = HTTPRoute(addresses: ["::127.0.0.1:"])
        for round in 1...2 {
            let timings = Cell<[HTTPTiming]>([])
            let bag = DisposeBag()
            for number in 0..<200 {
                let request = HTTPRequest(server.url(host: "server-\(number).example"), route: route)
                client.response(to: request).subscribe {
                    if let timing = try? $0.get().timing { timings.append(timing) }
                }
                .disposed(by: bag)
            }
            try await eventually("all servers have answered") { timings.value.count == 200 }
            #expect(timings.value.allSatisfy { ($0.connect > .zero) == (round == 1) })
            #expect(server.accepted.value == 200)
            #expect(inheritable().subtracting(before).isEmpty)
        }
        withExtendedLifetime(client) {}
    }

    @Test func descriptorsAreClosed() async throws {
        let server = try RawServer.answering(ok("fine"))
        func sendRequest() async throws {
            #expect(try await HTTPClient().outcome(of: HTTPRequest(server.url())).value.ok)
            try await eventually("the connection is closed") { server.open.value == 0 && loops() == 0 }
        }
        try await sendRequest()
        let before = descriptors()
        for _ in 0..<20 { try await sendRequest() }
        // Other threads may open a few descriptors.
        try await eventually("as many as before: \(before), now \(descriptors())") { descriptors() < before + 20 }
    }
}
