import Foundation
import LoopbackServer
import RxEngine
import RxLinux
import TestSupport
import Testing

@Suite(.balanced) struct HTTPServerTests {
    private let nginx: Nginx

    init() throws {
        nginx = try Nginx.shared.get()
    }

    /// Polls until there are `enough` outcomes, and returns them. Calls `onOutcome` with the number of outcomes after
    /// each.
    private func outcomes(
        _ enough: Int, of poll: HTTPPoll, _ client: HTTPClient = HTTPClient(),
        onOutcome: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> [HTTPOutcome] {
        let outcomes = Cell<[HTTPOutcome]>([])
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        let subscription = client.poll(poll, scheduler: scheduler).take(enough).subscribe(onNext: {
            outcomes.append($0)
            onOutcome(outcomes.value.count)
        })
        try await eventually("\(enough) outcomes") { outcomes.value.count >= enough }
        subscription.dispose()
        return outcomes.value
    }

    @Test func changedPageIsDetected() async throws {
        try nginx.write("one", to: "changing")
        let poll = HTTPPoll(
            HTTPRequest(try nginx.url("plain", "/pages/changing")), every: .milliseconds(10))
        let nginx = nginx
        let outcomes = try await outcomes(4, of: poll) {
            if $0 == 2 { try? nginx.write("another", to: "changing") }
        }
        #expect(outcomes.map(\.status) == [200, 200, 200, 200])
        #expect(outcomes.map { $0.headers["X-Sent-Status"] } == ["200", "304", "200", "304"])
        #expect(outcomes.map(\.ok) == [true, true, true, true])
        #expect(outcomes.map(\.changed) == [true, false, true, false])
        #expect(outcomes.map(\.body.text) == ["one", "one", "another", "another"])
        #expect(
            outcomes.allSatisfy {
                $0.headers["ETag"] != nil && $0.headers["Last-Modified"] != nil && !$0.isJSON
            })
    }

    @Test func compressedPageHasEntityTag() async throws {
        var poll = HTTPPoll(
            HTTPRequest(try nginx.url("plain", "/pages/long")), every: .milliseconds(10))
        let tagged = try await outcomes(3, of: poll)
        #expect(tagged.map(\.status) == [200, 200, 200])
        #expect(tagged.map { $0.headers["X-Sent-Status"] } == ["200", "304", "304"])
        #expect(tagged.allSatisfy { $0.body.count == 20_000 })
        #expect(tagged[0].headers["ETag"]?.hasPrefix("W/") == true)
        poll.conditional = false
        let whole = try await outcomes(2, of: poll)
        #expect(whole.map(\.status) == [200, 200])
        #expect(whole.map(\.changed) == [true, false])
    }

    @Test(arguments: [(true, "gzip"), (false, nil)] as [(Bool, String?)])
    func bodyIsCompressedIfRequested(compressed: Bool, encoding: String?) async throws {
        let request = HTTPRequest(try nginx.url("plain", "/pages/long"), compressed: compressed)
        let response = try await HTTPClient().response(to: request).value
        #expect(response.body.text == String(repeating: "a compressible line\n", count: 1000))
        #expect(response.headers["content-encoding"] == encoding)
    }

    @Test func bodyBeyondLimitIsError() async throws {
        var request = HTTPRequest(
            try nginx.url("plain", "/pages/long"), limits: HTTPLimits(body: 20_000))
        let client = HTTPClient()
        for compressed in [true, false] {
            request.compressed = compressed
            request.limits.body = 20_000
            #expect(try await client.outcome(of: request).value.ok)
            request.limits.body = 19_999
            #expect(try await client.outcome(of: request).value.error?.code == .bodyLimit)
        }
    }

    @Test func credentialsAreSent() async throws {
        let client = HTTPClient()
        let secret = nginx.folder + "/password"
        try Data("secret\n".utf8).write(to: URL(fileURLWithPath: secret))
        let table: [(HTTPAuthentication?, Int)] = [
            (nil, 401), (.basic(user: "me", password: .text("wrong")), 401),
            (.basic(user: "me", password: .text("secret")), 200),
            (.basic(user: "me", password: .file(secret)), 200),
            (.bearer(.text("secret")), 401),
        ]
        for (authentication, status) in table {
            let request = HTTPRequest(
                try nginx.url("plain", "/private/long"), authentication: authentication)
            let outcome = try await client.outcome(of: request).value
            #expect(
                outcome.status == status && outcome.ok == (status == 200),
                "\(String(describing: authentication))")
        }
        let request = HTTPRequest(
            try nginx.url("plain", "/who"), authentication: .bearer(.text("secret")))
        #expect(try await client.response(to: request).value.body.text == "Bearer secret")
        #expect(!"\(request)".contains("secret"))
    }

    @Test func redirectsAreFollowed() async throws {
        let client = HTTPClient(userAgent: "test")
        let here = "localhost test"
        let table: [(String, method: String, [UInt8]?, String)] = [
            ("/moved", "GET", nil, "GET /asked \(here) "), ("/kept", "GET", nil, "GET /asked \(here) "),
            ("/moved", "POST", Array("12345".utf8), "POST /asked \(here) 5"),
            ("/kept", "PUT", Array("12345".utf8), "PUT /asked \(here) 5"),
        ]
        for (path, method, body, answer) in table {
            let request = HTTPRequest(try nginx.url("plain", path), method: method, body: body)
            let response = try await client.response(to: request).value
            #expect(response.body.text == answer, "\(method) \(path)")
            let end = try nginx.url("plain", "/asked")
            #expect(response.url == end)
        }

        // Another server does not receive the credentials.
        let away = HTTPRequest(
            try nginx.url("plain", "/away"), authentication: .basic(user: "me", password: .text("secret"))
        )
        let response = try await client.response(to: away).value
        let end = try nginx.url("other")
        #expect(response.body.text == "elsewhere " && response.url == end)

        var request = HTTPRequest(try nginx.url("plain", "/loop"), limits: HTTPLimits(redirects: 5))
        let outcome = try await client.outcome(of: request).value
        #expect(outcome.error?.code == .redirects && outcome.status == nil)
        request.limits.redirects = 0
        let first = try await client.response(to: request).value
        #expect(first.status == 302 && first.headers["Location"]?.hasSuffix("/loop") == true)
    }

    @Test func unixSocketIsSupported() async throws {
        let request = HTTPRequest("http://any.example/asked?1", route: HTTPRoute(socket: nginx.socket))
        let response = try await HTTPClient(userAgent: "test").response(to: request).value
        #expect(response.body.text == "GET /asked?1 any.example test ")
        #expect(response.address == "")
    }

    @Test func polledConnectionsAreReused() async throws {
        let client = HTTPClient()
        var request = HTTPRequest(try nginx.url("plain", "/connection"))
        let kept = try await outcomes(50, of: HTTPPoll(request, every: .milliseconds(1)), client)
        let connections = Set(kept.map { $0.body.text.split(separator: " ").first })
        #expect(connections.count == 1)
        #expect(kept.last?.body.text.hasSuffix(" 50") == true)
        #expect(
            kept[0].timing.connect > .zero && kept.dropFirst().allSatisfy { $0.timing.connect == .zero })
        // Another request reuses the connection, which is free a moment after the response.
        var reused = false
        for _ in 0..<20 where !reused {
            let next = try await client.response(to: request).value
            reused = connections.contains(next.body.text.split(separator: " ").first)
        }
        #expect(reused)

        request.route.connection = .fresh
        let fresh = try await outcomes(5, of: HTTPPoll(request, every: .milliseconds(1)), client)
        #expect(Set(fresh.map(\.body.text)).count == 5)
        #expect(fresh.allSatisfy { $0.body.text.hasSuffix(" 1") && $0.timing.connect > .zero })
    }

    @Test func busyServerDelaysPolls() async throws {
        let begin = ContinuousClock.now
        let poll = HTTPPoll(HTTPRequest(try nginx.url("plain", "/busy")), every: .milliseconds(10))
        let busy = try await outcomes(2, of: poll)
        #expect(ContinuousClock.now - begin >= .seconds(1))
        #expect(
            busy.allSatisfy {
                $0.status == 503 && $0.retryAfter == .seconds(1) && $0.error?.code == .status
            })
        let later = try await HTTPClient().outcome(of: HTTPRequest(try nginx.url("plain", "/later")))
            .value
        #expect(later.status == 429 && later.retryAfter.map { $0 > .seconds(3600) } == true)
    }

    @Test func unexpectedResponseKeepsBody() async throws {
        var request = HTTPRequest(try nginx.url("plain", "/problem"))
        var outcome = try await HTTPClient().outcome(of: request).value
        #expect(!outcome.ok && outcome.isJSON && outcome.body.text == #"{"title":"none"}"#)
        #expect(outcome.error?.message == "the server answered 404, where 200-399 was expected")
        request.expect = HTTPStatuses(404...404)
        outcome = try await HTTPClient().outcome(of: request).value
        #expect(outcome.ok && outcome.error == nil)
    }
}
