import Glibc
import LoopbackServer
import RxEngine
import RxLinux
import TestSupport
import Testing

/// Proxies, sockets, address families and interfaces.
@Suite(.balanced) struct HTTPRouteTests {
    /// A proxy that answers plain requests itself, and requests for a tunnel with `tunnel`.
    private func proxy(tunnel: String = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n") throws -> RawServer {
        try RawServer { peer in
            while let request = peer.request() {
                peer.send(request.hasPrefix("CONNECT ") ? tunnel : ok("from the proxy"))
            }
        }
    }

    @Test func proxyIsUsed() async throws {
        let proxy = try proxy()
        let server = try RawServer.answering(ok("from the server"))
        let client = HTTPClient()
        let through = HTTPRoute.Proxy.through(proxy.url(""), except: ["127.0.0.1", ".inner.example", "10.0.0.0/8"])
        let request = HTTPRequest("http://far.example/a?b", route: HTTPRoute(proxy: through))
        #expect(try await client.response(to: request).value.body.text == "from the proxy")
        #expect(proxy.requests.value.last?.hasPrefix("GET http://far.example/a?b HTTP/1.1\r\n") == true)
        // Excepted hosts are connected to directly.
        let excepted = HTTPRequest(server.url(), route: HTTPRoute(proxy: through))
        #expect(try await client.response(to: excepted).value.body.text == "from the server")
        let inner = HTTPRequest(
            server.url(host: "a.inner.example"),
            route: HTTPRoute(proxy: through, addresses: ["a.inner.example::127.0.0.1:"]))
        #expect(try await client.response(to: inner).value.body.text == "from the server")
        let direct = HTTPRequest(server.url(), route: HTTPRoute(proxy: .none))
        #expect(try await client.response(to: direct).value.body.text == "from the server")
        #expect(proxy.requests.value.count == 1)
    }

    @Test func proxyCredentialsAreNotSentToServer() async throws {
        let proxy = try proxy()
        let url = "http://me:secret@127.0.0.1:\(proxy.port)"
        let request = HTTPRequest("http://far.example/", route: HTTPRoute(proxy: .through(url)))
        #expect(try await HTTPClient().outcome(of: request).value.ok)
        let sent = try #require(proxy.requests.value.first)
        #expect(sent.contains("Proxy-Authorization: Basic bWU6c2VjcmV0\r\n") && !sent.contains("\r\nAuthorization:"))
    }

    @Test(arguments: [
        ("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", HTTPError.Code.proxy),
        ("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n", .proxy),
        ("nonsense\r\n\r\n", .proxy), ("HTTP/1.1 200 OK\r\n\r\nnonsense", .tls),
    ])
    func refusedTunnelIsProxyError(tunnel: String, code: HTTPError.Code) async throws {
        let proxy = try proxy(tunnel: tunnel)
        let request = HTTPRequest(
            "https://far.example/", limits: HTTPLimits(total: .seconds(5)),
            route: HTTPRoute(proxy: .through(proxy.url(""))))
        let outcome = try await HTTPClient().outcome(of: request).value
        #expect(outcome.error?.code == code, "\(outcome.error?.message ?? "no error")")
        #expect(proxy.requests.value.first?.hasPrefix("CONNECT far.example:443 HTTP/1.1\r\n") == true)
    }

    @Test func tunnelConnectsToServer() async throws {
        let nginx = try Nginx.shared.get()
        let port = try nginx.port("good")
        let proxy = try RawServer { peer in
            guard peer.request() != nil else { return }
            peer.send("HTTP/1.1 200 OK\r\n\r\n")
            peer.connect(to: port)
        }
        let request = HTTPRequest(
            "https://localhost:\(port)/", route: HTTPRoute(proxy: .through(proxy.url(""))),
            tls: HTTPTLS(authorities: nginx.folder + "/ca.crt"))
        let response = try await HTTPClient().response(to: request).value
        #expect(response.body.text == "HTTP/2.0 TLSv1.3 ")
        #expect(response.certificate?.subject.contains("localhost") == true)
    }

    /// There is no fallback to the other family.
    @Test(arguments: [
        (true, HTTPRoute.Family.ipv6, true), (true, .any, true), (true, .ipv4, false), (false, .ipv6, false),
    ])
    func addressFamilyIsRespected(isServer6: Bool, family: HTTPRoute.Family, isAnswered: Bool) async throws {
        let server = try RawServer(ipv6: isServer6) { peer in
            while peer.request() != nil { peer.send(ok("fine")) }
        }
        let host = isServer6 ? "[::1]" : "127.0.0.1"
        let client = HTTPClient()
        let request = HTTPRequest(server.url(host: host), route: HTTPRoute(family: family))
        let outcome = try await client.outcome(of: request).value
        #expect(
            outcome.ok == isAnswered
                && (isAnswered || outcome.error?.code == .connect || outcome.error?.code == .resolve))
        if isAnswered { #expect(try await client.response(to: request).value.address == "::1") }
        // An open connection of the other family is not reused.
        let any = HTTPRequest(server.url(host: host))
        #expect(try await client.outcome(of: any).value.ok)
        #expect(try await client.outcome(of: request).value.ok == isAnswered)
    }

    @Test func abstractSocketIsSupported() async throws {
        let server = try RawServer.answering(ok("fine"), path: "@rx-http-\(getpid())")
        let route = HTTPRoute(socket: server.path)
        #expect(try await HTTPClient().response(to: HTTPRequest("http://x/", route: route)).value.body.text == "fine")
    }

    @Test func connectionIsBoundToInterface() async throws {
        let server = try RawServer.answering(ok("fine"))
        for (interface, isAnswered) in [("lo", true), ("127.0.0.9", true), ("192.0.2.1", false)] {
            let request = HTTPRequest(server.url(), route: HTTPRoute(interface: interface))
            #expect(try await HTTPClient().outcome(of: request).value.ok == isAnswered, "\(interface)")
        }
    }

    @Test func http2WithPriorKnowledgeSendsPreface() async throws {
        let preface = Cell("")
        let server = try RawServer { peer in
            preface.update { text in text = peer.read(24) ?? "" }
        }
        let request = HTTPRequest(server.url(), limits: HTTPLimits(total: .seconds(2)), version: .http2AtOnce)
        #expect(try await HTTPClient().outcome(of: request).value.ok == false)
        #expect(preface.value.hasPrefix("PRI * HTTP/2.0\r\n"))
    }

    /// The connect timeout ends before the total one.
    @Test func connectTimeoutIsSeparate() async throws {
        // The kernel accepts no more connections, so that the TCP handshake hangs.
        let server = try RawServer(backlog: 0) { _ in }
        let fillers = (0..<4).map { _ in Peer.connecting(to: server.port) }
        defer { for filler in fillers { filler.end() } }
        let limits = HTTPLimits(total: .seconds(8), connect: .milliseconds(100))
        let begin = ContinuousClock.now
        let outcome = try await HTTPClient().outcome(of: HTTPRequest(server.url(), limits: limits)).value
        #expect(outcome.error?.code == .timeout, "\(outcome.error?.message ?? "no error")")
        #expect(ContinuousClock.now - begin < .seconds(4))
    }

    @Test(arguments: ["http://user:SECRET@127.0.0.1:99999/X", "gopher://user:SECRET@127.0.0.1:1"])
    func proxyAddressIsNotQuoted(proxy: String) async throws {
        let request = HTTPRequest("http://far.example/", route: HTTPRoute(proxy: .through(proxy)))
        let error = try #require(try await HTTPClient().outcome(of: request).value.error)
        #expect(error.message.contains("its address") && !error.message.contains("SECRET"), "\(error.message)")
    }
}
