import Foundation
import LoopbackServer
import RxEngine
import RxLinux
import TestSupport
import Testing

/// A fault of a server, and the error that it causes.
private struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: HTTPError.Code
    let words: String
    let adjust: @Sendable (inout HTTPRequest) -> Void
    let serve: @Sendable (Peer) -> Void

    init(
        _ name: String, _ code: HTTPError.Code, _ words: String = "",
        adjust: @escaping @Sendable (inout HTTPRequest) -> Void = { _ in }, serve: @escaping @Sendable (Peer) -> Void
    ) {
        testDescription = name
        self.code = code
        self.words = words
        self.adjust = adjust
        self.serve = serve
    }

    /// A server that sends `answer` and closes the connection.
    static func answer(
        _ name: String, _ answer: String, _ code: HTTPError.Code, _ words: String = "",
        adjust: @escaping @Sendable (inout HTTPRequest) -> Void = { _ in }
    ) -> Fault {
        Fault(name, code, words, adjust: adjust) { peer in
            peer.request()
            peer.send(answer)
        }
    }
}

private func within(_ milliseconds: Int) -> @Sendable (inout HTTPRequest) -> Void {
    { $0.limits.total = .milliseconds(milliseconds) }
}

private let faults: [Fault] = [
    Fault("a slow header", .timeout, "the response was not complete within 1.0", adjust: within(1000)) { peer in
        peer.request()
        peer.send("HTTP/1.1 200 OK\r\n")
        peer.drip("X-Slow: and so on\r\n")
    },
    Fault("no answer", .timeout, "no response within 0.2", adjust: within(200)) { peer in
        peer.request()
        peer.waitForEnd()
    },
    Fault("a slow body", .timeout, adjust: within(200)) { peer in
        peer.request()
        peer.send("HTTP/1.1 200 OK\r\n\r\n")
        peer.drip("slow")
    },
    Fault("an endless body", .bodyLimit, "1000 bytes", adjust: { $0.limits.body = 1000 }) { peer in
        peer.request()
        peer.send("HTTP/1.1 200 OK\r\n\r\n")
        while peer.send("and so on") {}
    },
    Fault("an endless body in chunks", .bodyLimit, adjust: { $0.limits.body = 1000 }) { peer in
        peer.request()
        peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while peer.send("5\r\nhello\r\n") {}
    },
    .answer(
        "a body announced too long", "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n", .bodyLimit,
        adjust: { $0.limits.body = 1000 }),
    Fault("an endless header", .headerLimit, "131072 bytes") { peer in
        peer.request()
        peer.send("HTTP/1.1 200 OK\r\n")
        while peer.send("X-More: \(String(repeating: "x", count: 1000))\r\n") {}
    },
    Fault("endless interim answers", .headerLimit) { peer in
        peer.request()
        while peer.send("HTTP/1.1 100 Continue\r\n\r\n") {}
    },
    Fault("an endless line", .headerLimit, adjust: { $0.limits.header = .max }) { peer in
        peer.request()
        peer.send("HTTP/1.1 200 OK\r\nX-More: ")
        while peer.send("and so on") {}
    },
    .answer("no HTTP", "220 mail.example ESMTP\r\n", .protocol),
    .answer("no status", "HTTP/1.1 okay\r\n\r\n", .protocol),
    .answer("an unknown version", "HTTP/7.3 200 OK\r\n\r\n", .protocol),
    .answer("NULs", "\0\0\0\0\0\0\0\0\r\n\r\n", .protocol),
    .answer("a truncated header", "HTTP/1.1 200 OK\r\nContent-Le", .truncated),
    .answer("a truncated body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", .truncated),
    .answer("a truncated chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhello", .truncated),
    .answer("no last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", .truncated),
    .answer("chunks of garbage", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", .protocol),
    .answer(
        "a chunk size that overflows",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\nhello", .protocol),
    .answer(
        "an unknown compression", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
        .protocol),
    .answer("a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello", .protocol),
    Fault("a redirect to itself", .redirects, "more than 3 redirects", adjust: { $0.limits.redirects = 3 }) { peer in
        while peer.request() != nil { peer.send("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n") }
    },
    .answer(
        "a redirect to a file", "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
        .protocol, "file"),
    .answer(
        "a redirect to an invalid address", "HTTP/1.1 302 Found\r\nLocation: http://[::\r\nContent-Length: 0\r\n\r\n",
        .request),
    Fault("a connection closed at once", .reset) { _ in },
    Fault("a connection closed after the request", .reset) { $0.request() },
    Fault("a connection reset at once", .reset) { $0.reset() },
    Fault("a connection reset after the request", .reset) { peer in
        peer.request()
        peer.reset()
    },
    Fault("a connection reset in the header", .reset) { peer in
        peer.request()
        peer.send("HTTP/1.1 200 OK\r\nX-Half")
        poll(nil, 0, 20)
        peer.reset()
    },
    Fault("a connection reset in the body", .reset) { peer in
        peer.request()
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
        poll(nil, 0, 20)
        peer.reset()
    },
    Fault("no TLS", .tls, adjust: { $0.url = $0.url.replacingOccurrences(of: "http:", with: "https:") }) { peer in
        _ = peer.read(1)
        peer.send("HTTP/1.1 400 Bad Request\r\n\r\n")
    },
    Fault("a handshake cut short", .tls, adjust: { $0.url = $0.url.replacingOccurrences(of: "http:", with: "https:") })
    {
        _ = $0.read(100)
    },
    Fault(
        "a handshake reset", .tls, adjust: { $0.url = $0.url.replacingOccurrences(of: "http:", with: "https:") }
    ) { peer in
        _ = peer.read(100)
        peer.reset()
    },
    Fault(
        "a handshake that never ends", .timeout, "SSL",
        adjust: {
            $0.url = $0.url.replacingOccurrences(of: "http:", with: "https:")
            $0.limits.connect = .milliseconds(150)
        }
    ) { $0.waitForEnd() },
]

@Suite(.balanced) struct HTTPFaultTests {
    @Test(arguments: faults) fileprivate func faultHasErrorCodeAndMessage(fault: Fault) async throws {
        let server = try RawServer(fault.serve)
        var request = HTTPRequest(server.url(), limits: HTTPLimits(total: .seconds(8)))
        fault.adjust(&request)
        let outcome = try await HTTPClient().outcome(of: request).value
        #expect(!outcome.ok && outcome.status == nil && outcome.body.isEmpty && !outcome.changed)
        #expect(outcome.error?.code == fault.code, "\(outcome.error?.message ?? "no error")")
        #expect(outcome.error?.mentions(fault.words) == true, "\(outcome.error?.message ?? "no error")")
        #expect(outcome.timing.total < .seconds(5))
        try await eventually("the connection is closed") { server.open.value == 0 }
    }

    @Test(arguments: [
        (HTTPRequest("nonsense"), HTTPError.Code.request, "begin with http"),
        (HTTPRequest("ftp://127.0.0.1/"), .request, "begin with http"),
        (HTTPRequest("http://"), .request, ""),
        (HTTPRequest("http://127.0.0.1:99999/"), .request, ""),
        (HTTPRequest("http://127.0.0.1/a b"), .request, "%20"),
        (HTTPRequest("http://127.0.0.1/", method: "GET /"), .request, "method"),
        (HTTPRequest("http://127.0.0.1/", method: ""), .request, "method"),
        (HTTPRequest("http://127.0.0.1/", method: "HEAD", body: [1]), .request, "no body"),
        (HTTPRequest("http://127.0.0.1/", headers: ["X: Y": "z"]), .request, "name"),
        (HTTPRequest("http://127.0.0.1/", headers: ["X": "y\r\nZ: evil"]), .request, "line end"),
        (HTTPRequest("http://127.0.0.1/", headers: ["X": "y\0"]), .request, "NUL"),
        (HTTPRequest("http://127.0.0.1/", route: HTTPRoute(interface: "a\nb")), .request, "line end"),
        (HTTPRequest("http://127.0.0.1/", authentication: .bearer(.text("a\r\nb"))), .credential, "line end"),
        (HTTPRequest("http://127.0.0.1/", authentication: .bearer(.file("/nonexistent"))), .credential, "No such file"),
        (HTTPRequest("http://127.0.0.1/", authentication: .bearer(.file("/dev/zero"))), .credential, "regular file"),
        (HTTPRequest("http://127.0.0.1:1/"), .connect, "refused"),
        (HTTPRequest("http://[::1]:1/", route: HTTPRoute(family: .ipv4)), .connect, ""),
        (HTTPRequest("http://x/", route: HTTPRoute(socket: "/nonexistent/socket")), .connect, ""),
        (HTTPRequest("http://127.0.0.1:1/", route: HTTPRoute(interface: "nonexistent0")), .connect, ""),
        (HTTPRequest("http://x/", route: HTTPRoute(proxy: .through("http://127.0.0.1:1"))), .connect, "refused"),
        (HTTPRequest("http://x/", route: HTTPRoute(proxy: .through("gopher://127.0.0.1:1"))), .connect, "proxy"),
        (HTTPRequest("https://127.0.0.1:1/", tls: HTTPTLS(authorities: "/nonexistent")), .connect, "refused"),
    ]) func invalidRequestIsError(request: HTTPRequest, code: HTTPError.Code, words: String) async throws {
        let outcome = try await HTTPClient().outcome(of: request).value
        #expect(outcome.error?.code == code, "\(outcome.error?.message ?? "no error")")
        #expect(outcome.error?.mentions(words) == true, "\(outcome.error?.message ?? "no error")")
        await #expect(throws: HTTPError.self) { try await HTTPClient().response(to: request).value }
    }

    /// libcurl's text says it, and its text for the code; the system's says why.
    @Test func refusedConnectionIsOneSentence() async throws {
        let outcome = try await HTTPClient().outcome(of: HTTPRequest("http://127.0.0.1:1/")).value
        #expect(
            outcome.error?.message
                == "GET http://127.0.0.1:1: cannot connect to 127.0.0.1 port 1: Connection refused")
    }

    @Test func decompressedBodyIsLimited() async throws {
        let bomb = try shell("head -c 20000000 /dev/zero | gzip -9")
        let server = try RawServer { peer in
            peer.request()
            peer.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            peer.send(bytes: bomb)
        }
        #expect(bomb.count < 1_000_000)
        let request = HTTPRequest(server.url(), limits: HTTPLimits(body: 1_000_000))
        let error = try await HTTPClient().outcome(of: request).value.error
        #expect(error?.code == .bodyLimit)
    }

    /// If only the status matters, the response is complete with its header, whatever happens to the body.
    @Test(arguments: faults.filter { $0.code == .bodyLimit })
    fileprivate func statusSufficesIfBodyIsNotNeeded(fault: Fault) async throws {
        let server = try RawServer(fault.serve)
        var request = HTTPRequest(server.url(), limits: HTTPLimits(total: .seconds(8)))
        fault.adjust(&request)
        request.needsBody = false
        let outcome = try await HTTPClient().outcome(of: request).value
        #expect(outcome.ok && outcome.status == 200 && outcome.body.isEmpty, "\(outcome.error?.message ?? "")")
        request.expect = HTTPStatuses(201...201)
        #expect(try await HTTPClient().outcome(of: request).value.error != nil)
        try await eventually("the connections are closed") { server.open.value == 0 }
    }

    /// Until the header is complete, a response has no status.
    @Test(
        arguments: faults.filter {
            let names = ["a slow header", "an endless header", "a connection reset in the header", "a negative length"]
            return names.contains($0.testDescription)
        })
    fileprivate func incompleteHeaderIsErrorIfBodyIsNotNeeded(fault: Fault) async throws {
        let server = try RawServer(fault.serve)
        var request = HTTPRequest(server.url(), limits: HTTPLimits(total: .seconds(8)))
        fault.adjust(&request)
        request.needsBody = false
        let error = try await HTTPClient().outcome(of: request).value.error
        #expect(error?.code == fault.code && error?.mentions(fault.words) == true, "\(error?.message ?? "no error")")
        try await eventually("the connection is closed") { server.open.value == 0 }
    }

    @Test func faultDoesNotAffectOtherRequests() async throws {
        let server = try RawServer { peer in
            guard let request = peer.request() else { return }
            if request.contains("bad") { return peer.reset() }
            peer.send(ok("good"))
        }
        let client = HTTPClient()
        let outcomes = Cell<[Bool]>([])
        let bag = DisposeBag()
        for number in 0..<100 {
            client.outcome(of: HTTPRequest(server.url(number % 2 == 0 ? "/good" : "/bad")))
                .subscribe { outcomes.append(((try? $0.get())?.ok ?? false) == (number % 2 == 0)) }
                .disposed(by: bag)
        }
        try await eventually("all requests have ended") { outcomes.value.count == 100 }
        #expect(!outcomes.value.contains(false))
    }
}

extension HTTPError {
    /// Whether the message contains these words; true for an empty text.
    func mentions(_ words: String) -> Bool {
        words.isEmpty || message.contains(words)
    }
}

/// Returns the standard output of a shell command.
func shell(_ command: String) throws -> [UInt8] {
    let pipe = try #require(popen(command, "re"))
    var output: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&block, 1, block.count, pipe)
        if count == 0 { break }
        output += block[..<count]
    }
    try #require(pclose(pipe) == 0, "\(command)")
    return output
}
