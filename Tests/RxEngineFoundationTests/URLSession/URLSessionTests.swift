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
        let session = URLSession(configuration: .ephemeral)

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
        ("nonsense\r\n\r\n", ["URLError"], ["URLError"], ["URLError"]),
    ]

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
