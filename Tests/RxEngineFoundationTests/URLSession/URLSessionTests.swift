import Dispatch
import Foundation
import FoundationNetworking
import LoopbackServer
import RxEngine
import TestSupport
import Testing

@testable import RxEngineFoundation

/// Against a server on loopback.
@Suite(.balanced, .serialized) struct URLSessionTests {
    /// A session that the test ends, so that nothing of it remains.
    private final class Client {
        let session: URLSession

        init(_ configure: (URLSessionConfiguration) -> Void = { _ in }) {
            let configuration = URLSessionConfiguration.ephemeral
            configure(configuration)
            session = URLSession(configuration: configuration)
        }

        deinit { session.invalidateAndCancel() }
    }

    /// The events of a sequence, until it has ended.
    private func events<Element>(
        of source: Observable<Element>, _ text: @escaping @Sendable (Element) -> String
    ) async throws -> [String] {
        let log = Cell<[String]>([])
        let isOver = Cell(false)
        let subscription = source.subscribe(
            onNext: { log.append(text($0)) }, onError: { log.append("\(Self.name(of: $0))") },
            onCompleted: { log.append("completed") }, onDisposed: { isOver.update { $0 = true } })
        try await eventually("the request has ended: \(log.value)") { isOver.value }
        subscription.dispose()
        return log.value
    }

    private static func name(of error: any Error) -> String {
        switch error {
        case RxURLError.unknown: "unknown"
        case RxURLError.nonHTTPResponse: "no HTTP"
        case RxURLError.httpRequestFailed(let response, let data):
            "failed \(response.statusCode) \(data.map { String(decoding: $0, as: UTF8.self) } ?? "")"
        case RxURLError.deserializationError: "not JSON"
        case is URLError: "URLError"
        default: "\(error)"
        }
    }

    private static func answer(_ status: String, _ body: String) -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }

    private static let responses: [(answer: String, response: [String], data: [String], json: [String])] = [
        (answer("200 OK", "[1]"), ["200 [1]", "completed"], ["[1]", "completed"], ["[1]", "completed"]),
        (answer("204 No Content", ""), ["204 ", "completed"], ["", "completed"], ["not JSON"]),
        (answer("299 Odd", "{"), ["299 {", "completed"], ["{", "completed"], ["not JSON"]),
        (answer("404 Not Found", "no"), ["404 no", "completed"], ["failed 404 no"], ["failed 404 no"]),
        (answer("500 Broken", ""), ["500 ", "completed"], ["failed 500 "], ["failed 500 "]),
        // Truncated, and not HTTP at all.
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\nabc", ["URLError"], ["URLError"],
            ["URLError"]
        ),
        // Longer than declared.
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n[1]and more",
            ["200 [1]", "completed"], ["[1]", "completed"], ["[1]", "completed"]
        ),
        ("nonsense\r\n\r\n", ["URLError"], ["URLError"], ["URLError"]),
    ]

    /// The text has the encoding that is asked for, or that the response declares, or UTF-8.
    @Test(
        arguments: [
            ("", [0x63, 0xC3, 0xA9], nil, ["cé", "completed"]),
            ("; charset=utf-8", [0xC3, 0xA9], nil, ["é", "completed"]),
            ("; charset=ISO-8859-1", [0x63, 0xE9], nil, ["cé", "completed"]), ("", [0x63, 0xE9], nil, ["no text"]),
            ("", [0x63, 0xE9], .isoLatin1, ["cé", "completed"]), ("; charset=klingon", [0x63], nil, ["no text"]),
            ("; charset=klingon", [0x63], .utf8, ["c", "completed"]), ("; charset=", [0x63], nil, ["c", "completed"]),
            ("; charset=\"UTF-8\"", [0xC3, 0xA9], nil, ["é", "completed"]),
            ("; charset=latin1", [0x81, 0x9D], nil, ["\u{81}\u{9D}", "completed"]), ("", [], nil, ["", "completed"]),
        ] as [(String, [UInt8], String.Encoding?, [String])])
    func textHasItsEncoding(charset: String, body: [UInt8], encoding: String.Encoding?, expected: [String]) async throws
    {
        let server = try RawServer { peer in
            peer.request()
            peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\(charset)\r\nContent-Length: \(body.count)\r\n\r\n")
            peer.send(bytes: body)
        }
        let client = Client()
        let request = URLRequest(url: try #require(URL(string: server.url())))
        let log = try await events(of: client.session.rx.string(request: request, encoding: encoding)) { $0 }
        #expect(log.map { $0 == "not JSON" ? "no text" : $0 } == expected)
    }

    @Test func knownEncodingsAreReadable() throws {
        for (name, encoding) in HTTPURLResponse.encodings {
            let data = try #require("a".data(using: encoding), "\(name)")
            #expect(String(data: data, encoding: encoding) == "a", "\(name)")
        }
    }

    @Test func textOfFailureIsError() async throws {
        let server = try RawServer { peer in
            peer.request()
            peer.send(Self.answer("404 Not Found", "no"))
        }
        let client = Client()
        let url = try #require(URL(string: server.url()))
        #expect(try await events(of: client.session.rx.string(url: url)) { $0 } == ["failed 404 no"])
    }

    @Test(arguments: responses)
    func outcomesFollowResponses(answer: String, response: [String], data: [String], json: [String]) async throws {
        let server = try RawServer { peer in
            peer.request()
            peer.send(answer)
        }
        let client = Client()
        let url = try #require(URL(string: server.url()))
        let request = URLRequest(url: url)
        let responses = try await events(of: client.session.rx.response(request: request)) { response, data in
            "\(response.statusCode) \(String(decoding: data, as: UTF8.self))"
        }
        #expect(responses == response)
        #expect(
            try await events(of: client.session.rx.data(request: request)) { String(decoding: $0, as: UTF8.self) }
                == data)
        let values = try await events(of: client.session.rx.json(url: url)) { value in
            "\((value as? [NSNumber]).map { $0.map(\.intValue) } ?? [])"
        }
        #expect(values == json)
    }

    @Test func eachSubscriptionSendsRequestAgain() async throws {
        let server = try RawServer { peer in
            peer.request()
            peer.send(Self.answer("200 OK", "a"))
        }
        let client = Client()
        var request = URLRequest(url: try #require(URL(string: server.url("/path"))))
        request.httpMethod = "PUT"
        request.httpBody = Data("body".utf8)
        let source = client.session.rx.data(request: request)
        #expect(server.accepted.value == 0)
        for _ in 0..<2 { _ = try await events(of: source) { _ in "" } }
        #expect(server.requests.value.count == 2)
        #expect(server.requests.value.allSatisfy { $0.hasPrefix("PUT /path HTTP/1.1") && $0.hasSuffix("body") })
    }

    /// The server answers nothing: it sees that the connection is closed.
    @Test func disposingCancelsTask() async throws {
        let isClosed = Cell(false)
        let server = try RawServer { peer in
            peer.request()
            peer.waitForEnd()
            isClosed.update { $0 = true }
        }
        let client = Client()
        let request = URLRequest(url: try #require(URL(string: server.url())))
        let log = Cell<[String]>([])
        let subscription = client.session.rx.data(request: request).subscribe(
            onNext: { _ in log.append("next") }, onError: { _ in log.append("error") },
            onDisposed: { log.append("disposed") })
        try await eventually("the server has the request") { server.requests.value.count == 1 }
        subscription.dispose()
        try await eventually("the connection is closed") { isClosed.value }
        #expect(log.value == ["disposed"])
    }

    /// The headers come at once, and the body byte by byte; the server sends the last byte when the test says so.
    @Test func slowBodyIsEmittedWhenComplete() async throws {
        let (isAlmostSent, mayEnd) = (Cell(false), DispatchSemaphore(value: 0))
        let server = try RawServer { peer in
            peer.request()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 11\r\nConnection: close\r\n\r\n")
            for byte in "slow body ".utf8 { peer.send(bytes: [byte]) }
            isAlmostSent.update { $0 = true }
            _ = mayEnd.wait(timeout: .now() + 20)
            peer.send("!")
        }
        let client = Client()
        let request = URLRequest(url: try #require(URL(string: server.url())))
        let log = Cell<[String]>([])
        let subscription = client.session.rx.data(request: request).subscribe(
            onNext: { log.append(String(decoding: $0, as: UTF8.self)) }, onError: { log.append(Self.name(of: $0)) },
            onCompleted: { log.append("completed") }, onDisposed: { log.append("disposed") })
        try await eventually("the server has sent all but the last byte") { isAlmostSent.value }
        #expect(log.value.isEmpty)
        mayEnd.signal()
        try await eventually("the request has ended") { log.value.last == "disposed" }
        #expect(log.value == ["slow body !", "completed", "disposed"])
        subscription.dispose()
    }

    /// Ten parts take 2.5 s, longer than the timeout, which limits the wait for each of them.
    @Test func timeoutForRequestLimitsWaitForNextPart() async throws {
        let server = try RawServer { peer in
            peer.request()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\n")
            for digit in "0123456789".utf8 {
                peer.wait(milliseconds: 250)
                peer.send(bytes: [digit])
            }
        }
        let client = Client { $0.timeoutIntervalForRequest = 2 }
        let request = URLRequest(url: try #require(URL(string: server.url())))
        let outcome = try await events(of: client.session.rx.data(request: request)) {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(outcome == ["0123456789", "completed"])
    }

    /// After the headers, or after a part of the body, the server sends nothing more.
    @Test(arguments: ["", "part"]) func stalledBodyFailsAfterTimeoutForRequest(part: String) async throws {
        let isClosed = Cell(false)
        let server = try RawServer { peer in
            peer.request()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 11\r\nConnection: close\r\n\r\n\(part)")
            peer.waitForEnd()
            isClosed.update { $0 = true }
        }
        let client = Client { $0.timeoutIntervalForRequest = 1 }
        let request = URLRequest(url: try #require(URL(string: server.url())))
        let log = Cell<[String]>([])
        let subscription = client.session.rx.data(request: request).subscribe(
            onNext: { _ in log.append("next") },
            onError: { log.append(($0 as? URLError)?.code == .timedOut ? "timed out" : "\($0)") },
            onDisposed: { log.append("disposed") })
        try await eventually("the request has ended") { log.value.last == "disposed" }
        #expect(log.value == ["timed out", "disposed"])
        try await eventually("the connection is closed") { isClosed.value }
        subscription.dispose()
    }

    /// Of a body of 64 MB, the server sends half. It sees that the connection is closed, although the response is not
    /// complete.
    @Test func disposingHalfWayThroughLargeBodyClosesConnection() async throws {
        let block = [UInt8](repeating: 0x61, count: 1 << 20)
        let (isHalfSent, isClosed) = (Cell(false), Cell(false))
        let server = try RawServer { peer in
            peer.request()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(64 << 20)\r\nConnection: close\r\n\r\n")
            for _ in 0..<32 { peer.send(bytes: block) }
            isHalfSent.update { $0 = true }
            peer.waitForEnd()
            isClosed.update { $0 = true }
        }
        let client = Client()
        let request = URLRequest(url: try #require(URL(string: server.url())))
        let log = Cell<[String]>([])
        let subscription = client.session.rx.data(request: request).subscribe(
            onNext: { log.append("\($0.count)") }, onError: { log.append(Self.name(of: $0)) },
            onDisposed: { log.append("disposed") })
        try await eventually("the server has sent half of the body") { isHalfSent.value }
        #expect(log.value.isEmpty && !isClosed.value)
        subscription.dispose()
        try await eventually("the connection is closed") { isClosed.value }
        #expect(log.value == ["disposed"])
    }

    @Test func maximumOfConnectionsLimitsResponsesAtSameTime() async throws {
        let (running, largest) = (Cell(0), Cell(0))
        let server = try RawServer { peer in
            peer.request()
            running.update { $0 += 1 }
            let now = running.value
            largest.update { $0 = max($0, now) }
            peer.wait(milliseconds: 20)
            running.update { $0 -= 1 }
            peer.send(Self.answer("200 OK", "a"))
        }
        let client = Client { $0.httpMaximumConnectionsPerHost = 1 }
        let source = client.session.rx.data(request: URLRequest(url: try #require(URL(string: server.url()))))
        let outcome = try await events(of: .merge(source, source, source)) { String(decoding: $0, as: UTF8.self) }
        #expect(outcome == ["a", "a", "a", "completed"] && largest.value == 1)
    }

    @Test func wholeLargeBodyIsEmitted() async throws {
        let block = [UInt8](repeating: 0x61, count: 1 << 20)
        let server = try RawServer { peer in
            peer.request()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(64 << 20)\r\nConnection: close\r\n\r\n")
            for _ in 0..<64 { peer.send(bytes: block) }
        }
        let client = Client()
        let request = URLRequest(url: try #require(URL(string: server.url())))
        #expect(
            try await events(of: client.session.rx.data(request: request)) { "\($0.count)" }
                == ["\(64 << 20)", "completed"])
    }

    @Test func refusedConnectionIsErrorOfSession() async throws {
        let port = try RawServer { _ in }.port
        let client = Client()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        #expect(try await events(of: client.session.rx.data(request: URLRequest(url: url))) { _ in "" } == ["URLError"])
    }

    /// A file is not an HTTP response.
    @Test func responseOfFileIsNoHTTP() async throws {
        let client = Client()
        let source = client.session.rx.response(request: URLRequest(url: URL(fileURLWithPath: #filePath)))
        let outcome = try await events(of: source) { _ in "" }
        #expect(outcome == ["no HTTP"] || outcome == ["URLError"])
    }

    @Test func errorsSayWhatIsWrong() throws {
        let url = try #require(URL(string: "http://a.example/"))
        let response = try #require(HTTPURLResponse(url: url, statusCode: 503, httpVersion: nil, headerFields: nil))
        let errors: [RxURLError] = [
            .unknown, .httpRequestFailed(response: response, data: nil), .deserializationError(error: TestError("x")),
        ]
        #expect(
            errors.map(\.debugDescription) == [
                "the session reported neither a response nor an error", "the request failed with the status 503",
                "the body cannot be read: x",
            ])
        #expect(RxCocoaURLError.self == RxURLError.self)
    }
}
