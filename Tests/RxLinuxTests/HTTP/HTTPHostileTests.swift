import Foundation
import LoopbackServer
import RxEngine
import RxLinux
import TestSupport
import Testing

/// A hostile server's behavior on a connection, and the body if the response is valid nevertheless.
private struct Hostile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: String?
    let serve: @Sendable (Peer) -> Void

    init(_ name: String, body: String? = nil, _ serve: @escaping @Sendable (Peer) -> Void) {
        testDescription = name
        self.body = body
        self.serve = serve
    }

    /// A server that sends `answer` and closes the connection.
    init(_ name: String, body: String? = nil, answer: String) {
        self.init(name, body: body) { peer in
            peer.request()
            peer.send(answer)
        }
    }

    /// A server that sends `beginning`, and then `endless` again and again.
    init(_ name: String, _ beginning: String, endless: String) {
        self.init(name) { peer in
            peer.request()
            peer.send(beginning)
            while peer.send(endless) {}
        }
    }
}

private let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

private func redirect(to location: String) -> String {
    "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
}

private let hostile: [Hostile] = [
    // The status line.
    Hostile("an endless status line", "HTTP/1.1 200 ", endless: "and so on "),
    Hostile("a huge status line", answer: "HTTP/1.1 200 \(String(repeating: "x", count: 100_000))\r\n\r\n"),
    Hostile("a status of four digits", answer: "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n"),
    Hostile("a negative status", answer: "HTTP/1.1 -200 OK\r\nContent-Length: 0\r\n\r\n"),
    Hostile("no version", answer: "200 OK\r\n\r\n"),
    Hostile("HTTP/0.9", answer: "<html>hello</html>"),
    Hostile("HTTP/2 without negotiation", body: "hello", answer: "HTTP/2 200\r\n\r\nhello"),
    Hostile("endless empty lines", "", endless: "\r\n"),
    Hostile("endless NULs", "", endless: "\0\0\0\0\0\0\0\0"),
    // The header.
    Hostile("an endless header", "HTTP/1.1 200 OK\r\n", endless: "X-More: \(String(repeating: "x", count: 100))\r\n"),
    Hostile("endless short fields", "HTTP/1.1 200 OK\r\n", endless: "A:\r\n"),
    Hostile("an endless field", "HTTP/1.1 200 OK\r\nX-More: ", endless: "and so on"),
    Hostile("an endless folded field", "HTTP/1.1 200 OK\r\nX-More: a\r\n", endless: " and so on\r\n"),
    Hostile("a NUL in a header", answer: "HTTP/1.1 200 OK\r\nX-Nul: a\0b\r\nContent-Length: 2\r\n\r\nok"),
    Hostile(
        "invalid UTF-8 everywhere", body: "\u{FFFD}",
        { peer in
            peer.request()
            peer.send("HTTP/1.1 200 O")
            peer.send(bytes: [0xFF, 0x0D, 0x0A, 0xC3, 0x28, 0x3A, 0xFF, 0x0D, 0x0A])
            peer.send("Content-Length: 1\r\n\r\n")
            peer.send(bytes: [0xFF])
        }),
    Hostile(
        "a thousand fields of one name", body: "ok",
        answer: "HTTP/1.1 200 OK\r\n\(String(repeating: "A: b\r\n", count: 1000))Content-Length: 2\r\n\r\nok"),
    Hostile("line ends without returns", body: "ok", answer: "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"),
    // Interim answers.
    Hostile("endless interim answers", "", endless: "HTTP/1.1 100 Continue\r\n\r\n"),
    Hostile("endless early hints", "", endless: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    Hostile(
        "some interim answers", body: "ok",
        answer: String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 20) + ok("ok")),
    Hostile("an answer before the request", body: "ok") { peer in
        peer.send(ok("ok"))
        peer.request()
    },
    // Lengths.
    Hostile("an invalid length", answer: "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello"),
    Hostile("a negative length", answer: "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nhello"),
    Hostile(
        "a length that overflows", answer: "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"),
    Hostile("a length beyond the limit", answer: "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\nhello"),
    Hostile("a body that is too short", answer: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"),
    Hostile(
        "a body that is longer than its length", body: "hel",
        answer: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhello"),
    Hostile(
        "a length and chunks", body: "hello",
        answer: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    Hostile(
        "a body of a 204 answer", body: "", answer: "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"),
    Hostile("an endless body", "HTTP/1.1 200 OK\r\n\r\n", endless: "and so on"),
    Hostile("a slow body") { peer in
        peer.request()
        peer.send("HTTP/1.1 200 OK\r\n\r\n")
        peer.drip("slow")
    },
    // Chunks.
    Hostile("a chunk of garbage", answer: chunked + "zz\r\nhello\r\n"),
    Hostile("a chunk of a negative size", answer: chunked + "-5\r\nhello\r\n0\r\n\r\n"),
    Hostile("a chunk size that overflows", answer: chunked + "fffffffffffffffff\r\nhello"),
    Hostile("a chunk that is shorter than its size", answer: chunked + "ff\r\nhello\r\n0\r\n\r\n"),
    Hostile("a chunk that is longer than its size", answer: chunked + "2\r\nhello\r\n0\r\n\r\n"),
    Hostile("endless chunks", chunked, endless: "5\r\nhello\r\n"),
    Hostile("an endless chunk size", chunked, endless: "0"),
    Hostile("an endless chunk extension", chunked + "5;a=", endless: "and so on"),
    Hostile("endless trailers", chunked + "0\r\n", endless: "X-More: and so on\r\n"),
    Hostile("an endless trailer", chunked + "0\r\nX-More: ", endless: "and so on"),
    // Compression.
    Hostile("an invalid compressed body", answer: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nhello hello hello"),
    Hostile("an unknown compression", answer: "HTTP/1.1 200 OK\r\nContent-Encoding: x\r\nContent-Length: 2\r\n\r\nhi"),
    Hostile(
        "many compressions",
        answer: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip, gzip, gzip, gzip, gzip\r\n\r\nhi"),
    Hostile("a decompression bomb") { peer in
        guard let bomb = try? shell("head -c 2000000 /dev/zero | gzip -9") else { return }
        peer.request()
        peer.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
        peer.send(bytes: bomb)
    },
    // Redirects.
    Hostile("a redirect to itself", { peer in while peer.request() != nil { peer.send(redirect(to: "/")) } }),
    Hostile(
        "a redirect to ever longer addresses",
        { peer in
            while let request = peer.request() {
                let path = request.dropFirst(4).prefix { $0 != " " }
                peer.send(redirect(to: path + String(repeating: "x", count: 1000)))
            }
        }),
    Hostile("a redirect to a file", answer: redirect(to: "file:///etc/passwd")),
    Hostile("a redirect to a script", answer: redirect(to: "javascript:alert(1)")),
    Hostile("a redirect to a closed port", answer: redirect(to: "http://127.0.0.1:1/")),
    Hostile("a redirect to an invalid address", answer: redirect(to: "http://[::")),
    Hostile("a redirect to a control character", answer: redirect(to: "/a\u{1}b")),
    // Closed and silent connections.
    Hostile("a connection closed at once", { _ in }),
    Hostile("a connection reset at once", { $0.reset() }),
    Hostile(
        "a connection reset in the body",
        { peer in
            peer.request()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
            peer.reset()
        }),
    Hostile(
        "no answer",
        { peer in
            peer.request()
            peer.waitForEnd()
        }),
]

@Suite(.balanced) struct HTTPHostileTests {
    private func request(_ url: String) -> HTTPRequest {
        HTTPRequest(
            url, limits: HTTPLimits(total: .milliseconds(600), redirects: 3, body: 1000, header: 32 << 10),
            route: HTTPRoute(connection: .fresh))
    }

    private func check(_ outcome: HTTPOutcome, _ hostile: Hostile) {
        let message = "\(hostile.testDescription): \(outcome.error?.message ?? outcome.body.text)"
        #expect(outcome.ok == (hostile.body != nil), "\(message)")
        if let body = hostile.body { #expect(outcome.body.text == body, "\(message)") }
        #expect((outcome.error == nil) == outcome.ok && outcome.body.count <= 1000, "\(message)")
        #expect(outcome.timing.total < .seconds(5), "\(message)")
    }

    @Test func hostileResponsesAreMany() { #expect(hostile.count >= 40) }

    @Test(arguments: hostile) fileprivate func hostileResponseIsErrorOrCorrect(hostile: Hostile) async throws {
        let server = try RawServer(hostile.serve)
        check(try await HTTPClient().outcome(of: request(server.url())).value, hostile)
        try await eventually("the connection is closed") { server.open.value == 0 }
    }

    /// One server sends all of them, one after the other. Each is an element, and the poll continues.
    @Test func pollContinuesAfterHostileResponses() async throws {
        let table = hostile
        let number = Cell(0)
        let server = try RawServer { peer in
            if number.value < table.count { return table[number.value].serve(peer) }
            peer.request()
            peer.send(ok("well"))
        }
        let outcomes = Cell<[HTTPOutcome]>([])
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        let poll = HTTPPoll(request(server.url()), every: .milliseconds(1))
        let subscription = HTTPClient().poll(poll, scheduler: scheduler).subscribe(onNext: { outcome in
            outcomes.append(outcome)
            number.update { $0 += 1 }
        })
        try await eventually("all outcomes are emitted", within: .seconds(60)) { outcomes.value.count > table.count }
        subscription.dispose()
        for (outcome, hostile) in zip(outcomes.value, table) { check(outcome, hostile) }
        #expect(table.count >= 40 && outcomes.value[table.count].body.text == "well")
        try await eventually("the connections are closed") { server.open.value == 0 }
    }

    /// A response that is cut off at any byte is an error.
    @Test(arguments: [
        ok("hello", "X-A: b"), chunked + "5\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n" + ok("hello"),
    ])
    func truncatedResponseIsError(answer: String) async throws {
        let cut = Cell(0)
        let bytes = Array(answer.utf8)
        let server = try RawServer { peer in
            peer.request()
            peer.send(bytes: Array(bytes[..<cut.value]))
        }
        let client = HTTPClient()
        for end in 0...bytes.count {
            cut.update { $0 = end }
            let outcome = try await client.outcome(of: request(server.url())).value
            // The last line end of a chunked body carries no information.
            let isWhole = end == bytes.count || outcome.ok && answer.hasPrefix(chunked) && end >= bytes.count - 2
            #expect(outcome.ok == isWhole, "\(end): \(outcome.error?.message ?? outcome.body.text)")
            if outcome.ok { #expect(outcome.body.text == "hello") }
        }
    }
}
