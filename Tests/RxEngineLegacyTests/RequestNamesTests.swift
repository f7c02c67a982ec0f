import Foundation
import FoundationNetworking
import LoopbackServer
import RxEngine
import RxEngineFoundation
import RxEngineLegacy
import TestSupport
import Testing

/// The former names of requests, against a server on loopback.
@Suite(.balanced, .serialized) struct RequestNamesTests {
    /// A session that the test ends, and a server that answers each request with its path in JSON.
    private final class Client {
        let session = URLSession(configuration: .ephemeral)
        let server: RawServer

        init(status: String = "200 OK") throws {
            server = try RawServer { peer in
                let path = peer.request()?.split(separator: " ").dropFirst().first ?? ""
                let body = "[\"\(path)\"]"
                peer.send(
                    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
            }
        }

        deinit { session.invalidateAndCancel() }

        func url(_ path: String) throws -> NSURL { try #require(NSURL(string: server.url(path))) }
    }

    /// The events of a sequence, until it has ended.
    private func events<Element>(
        of source: Observable<Element>, _ text: @escaping @Sendable (Element) -> String
    ) async throws -> [String] {
        let log = Cell<[String]>([])
        let isOver = Cell(false)
        let subscription = source.subscribe(
            next: { log.append(text($0)) }, error: { log.append("error \(Self.name(of: $0))") },
            completed: { log.append("|") }, disposed: { isOver.update { $0 = true } })
        try await eventually("the request has ended: \(log.value)") { isOver.value }
        subscription.dispose()
        return log.value
    }

    /// The former name is also that of the protocol.
    private enum Failure: ErrorType { case first }

    @Test func errorTypeCanBeAdopted() {
        let failure: ErrorType = Failure.first
        #expect(failure is Failure)
    }

    private static func name(of error: ErrorType) -> String {
        if case RxCocoaURLError.httpRequestFailed(let response, _) = error {
            "\(response.statusCode)"
        } else {
            "\(error)"
        }
    }

    private static func text(_ data: NSData) -> String { String(decoding: data as Data, as: UTF8.self) }

    private static func text(_ json: Any) -> String { "\((json as? [String]) ?? ["no list"])" }

    @Test func responsesHaveTheirFormerNames() async throws {
        let client = try Client()
        let session = client.session
        let object = NSURLRequest(URL: try client.url("/a"))
        let request = object as URLRequest
        let expected = [#"["/a"] 200"#, "|"]
        let values: @Sendable ((Data, HTTPURLResponse)) -> String = {
            "\(String(decoding: $0.0, as: UTF8.self)) \($0.1.statusCode)"
        }
        let objects: @Sendable ((NSData, NSURLResponse)) -> String = {
            "\(Self.text($0.0)) \(($0.1 as? NSHTTPURLResponse)?.statusCode ?? 0)"
        }
        #expect(try await events(of: session.rx_response(request), values) == expected)
        #expect(try await events(of: session.rx.response(request), values) == expected)
        #expect(try await events(of: session.rx_response(object), objects) == expected)
        #expect(try await events(of: session.rx.response(object), objects) == expected)
        #expect(try await events(of: session.rx.response(request), objects) == expected)
        #expect(client.server.requests.value.count == 5)
    }

    @Test func bodiesHaveTheirFormerNames() async throws {
        let client = try Client()
        let session = client.session
        let object = NSURLRequest(URL: try client.url("/b"))
        let request = object as URLRequest
        let expected = [#"["/b"]"#, "|"]
        for source in [session.rx_data(request), session.rx.data(request)] {
            #expect(try await events(of: source) { String(decoding: $0, as: UTF8.self) } == expected)
        }
        for source in [session.rx_data(object), session.rx.data(object)] {
            #expect(try await events(of: source) { Self.text($0) } == expected)
        }
    }

    @Test func valuesOfJSONHaveTheirFormerNames() async throws {
        let client = try Client()
        let session = client.session
        let url = try client.url("/c")
        let object = NSURLRequest(URL: url)
        let request = object as URLRequest
        let sources = [
            session.rx_JSON(request), session.rx_JSON(object), session.rx_JSON(url as URL), session.rx.JSON(request),
            session.rx.JSON(object), session.rx.JSON(url as URL),
        ]
        for source in sources {
            #expect(try await events(of: source) { Self.text($0) } == [#"["/c"]"#, "|"])
        }
        #expect(client.server.requests.value.count == sources.count)
    }

    @Test func failedRequestsFailUnderTheirFormerNames() async throws {
        let client = try Client(status: "404 Not Found")
        let request = NSURLRequest(URL: try client.url("/d"))
        #expect(try await events(of: client.session.rx_data(request)) { Self.text($0) } == ["error 404"])
        #expect(try await events(of: client.session.rx_JSON(request)) { Self.text($0) } == ["error 404"])
        let response = client.session.rx_response(request)
        #expect(try await events(of: response) { Self.text($0.0) } == [#"["/d"]"#, "|"])
    }

    /// The seeds' request for JSON.
    @Test func sampleOfJSONPrintsValue() async throws {
        let client = try Client()
        let log = Cell<[String]>([])
        let print: @Sendable (Any) -> Void = { log.append(Self.text($0)) }

        let request = NSURLRequest(URL: NSURL(string: client.server.url("/json"))!)
        let responseJSON = NSURLSession.sharedSession().rx.JSON(request)
        // Nothing is sent up to this point.
        #expect(client.server.requests.value.isEmpty)
        let cancelRequest =
            responseJSON
            .subscribe(onNext: { json in
                print(json)
            })

        try await eventually("the value is printed") { !log.value.isEmpty }
        cancelRequest.dispose()
        #expect(log.value == [#"["/json"]"#])
    }

    /// The seeds' request with access to the response, with the types of Swift 2 and of Swift 3.
    @Test(arguments: [("200 OK", ["next(text of 13 bytes)", "completed"]), ("500 Broken", ["error(broken)"])])
    func samplesOfResponsePrintEvents(status: String, expected: [String]) async throws {
        let client = try Client(status: status)
        let (swift2, swift3) = (Cell<[String]>([]), Cell<[String]>([]))
        let transform: @Sendable (NSData) -> String = { "text of \($0.length) bytes" }
        let yourNSError = TestError("broken")
        let output = Hooks.debugOutput
        defer { Hooks.debugOutput = output }
        Hooks.debugOutput = { _ in }

        let myNSURLRequest = NSURLRequest(URL: try client.url("/response"))
        let first = client.session.rx_response(myNSURLRequest)
            .debug("my request")
            .flatMap { (data: NSData!, response: NSURLResponse!) -> Observable<String> in
                if let response = response as? NSHTTPURLResponse {
                    if 200..<300 ~= response.statusCode {
                        return just(transform(data))
                    } else {
                        return failWith(yourNSError)
                    }
                } else {
                    return failWith(yourNSError)
                }
            }
            .subscribe { event in
                swift2.append("\(event)")
            }

        let myURLRequest = URLRequest(url: try client.url("/response") as URL)
        let second = client.session.rx.response(myURLRequest)
            .debug("my request")
            .flatMap { (data: NSData, response: URLResponse) -> Observable<String> in
                if let response = response as? HTTPURLResponse {
                    if 200..<300 ~= response.statusCode {
                        return just(transform(data))
                    } else {
                        return Observable.error(yourNSError)
                    }
                } else {
                    return Observable.error(yourNSError)
                }
            }
            .subscribe { event in
                swift3.append("\(event)")
            }

        try await eventually("both have ended: \(swift2.value), \(swift3.value)") {
            [swift2.value, swift3.value].allSatisfy { $0.count == expected.count }
        }
        #expect(swift2.value == expected && swift3.value == expected)
        first.dispose()
        second.dispose()
    }

    /// How the seeds wrap a request, with a `let` for each binding, and without `!` inside of types.
    private func myResponse(_ session: NSURLSession, _ request: NSURLRequest) -> Observable<(NSData, NSURLResponse)> {
        // Safe although marked unsafe: nobody changes the request.
        nonisolated(unsafe) let request = request
        return create { observer in
            let task = session.dataTaskWithRequest(request) { (data, response, error) in
                guard let response = response, let data = data else {
                    observer.on(.Error(error ?? RxCocoaURLError.Unknown))
                    return
                }

                guard let httpResponse = response as? NSHTTPURLResponse else {
                    observer.on(.Error(RxCocoaURLError.NonHTTPResponse(response: response)))
                    return
                }

                observer.on(.Next((data, httpResponse)))
                observer.on(.Completed)
            }

            task.resume()

            return AnonymousDisposable {
                task.cancel()
            }
        }
    }

    @Test func wrappedRequestEmitsResponse() async throws {
        let client = try Client()
        let source = myResponse(client.session, NSURLRequest(URL: try client.url("/mine")))
        for _ in 1...2 {
            #expect(try await events(of: source) { Self.text($0.0) } == [#"["/mine"]"#, "|"])
        }
        let port = try RawServer { _ in }.port
        let refused = myResponse(client.session, NSURLRequest(URL: NSURL(string: "http://127.0.0.1:\(port)/")!))
        let outcome = try await events(of: refused) { Self.text($0.0) }
        #expect(outcome.count == 1 && outcome.allSatisfy { $0.hasPrefix("error ") })
    }

    @Test func errorsHaveTheirFormerNames() throws {
        let url = try #require(URL(string: "http://a.example/"))
        let response = try #require(NSHTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: nil))
        let errors: [RxCocoaURLError] = [
            .Unknown, .NonHTTPResponse(response: response), .HTTPRequestFailed(response: response, data: nil),
            .DeserializationError(error: TestError("x")),
        ]
        let current: [RxURLError] = [
            .unknown, .nonHTTPResponse(response: response), .httpRequestFailed(response: response, data: nil),
            .deserializationError(error: TestError("x")),
        ]
        #expect(errors.map(\.debugDescription) == current.map(\.debugDescription))
        let none: (any Error)? = nil
        let log = Cell<[String]>([])
        let failed: Observable<Int> = failWith(none ?? RxCocoaURLError.Unknown)
        failed.subscribeError { log.append("\($0)") }
        #expect(log.value == ["\(RxURLError.unknown)"])
    }

    @Test func filterOfLogIsThatOfSession() async throws {
        let filter = URLSession.rx.shouldLogRequest
        defer { URLSession.rx.shouldLogRequest = filter }
        let client = try Client()
        let paths = Cell<[String]>([])
        Logging.URLRequests = { request in
            paths.append(request.url?.path ?? "")
            return false
        }
        let request = NSURLRequest(URL: try client.url("/logged"))
        _ = try await events(of: client.session.rx_data(request)) { Self.text($0) }
        #expect(paths.value == ["/logged"])
        let other = URLRequest(url: try client.url("/other") as URL)
        #expect(!Logging.URLRequests(other) && !URLSession.rx.shouldLogRequest(other))
        #expect(paths.value == ["/logged", "/other", "/other"])
    }

    @Test func typesHaveTheirFormerNames() {
        #expect(NSURLSession.sharedSession() === URLSession.shared)
        #expect(NSTimeInterval.self == Double.self && NSThread.self == Foundation.Thread.self)
        let thread = NSThread.self
        thread.sleepForTimeInterval(0)
    }
}
