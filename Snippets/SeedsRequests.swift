// The samples of RxSwift's Getting Started about requests. A protocol handler answers them, without a network.

import Foundation
import RxEngine
import RxEngineBlocking
import RxEngineFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers each request with its page, or with the status 404.
final class CannedResponses: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let isKnown = request.url?.query?.contains("page=Pizza") == true
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: isKnown ? 200 : 404, httpVersion: "HTTP/1.1", headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(#"{"title": "Pizza"}"#.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

let configuration = URLSessionConfiguration.ephemeral
configuration.protocolClasses = [CannedResponses.self]
let session = URLSession(configuration: configuration)

func request(_ page: String) throws -> URLRequest {
    guard let url = URL(string: "http://en.wikipedia.org/w/api.php?action=parse&page=\(page)&format=json") else {
        throw URLError(.badURL)
    }
    return URLRequest(url: url)
}

// Only requests to reactivex.org are logged.
URLSession.rx.shouldLogRequest = { request in
    request.url?.host == "reactivex.org" || request.url?.host == "www.reactivex.org"
}

// No request is performed up to the call that subscribes, here `toBlocking`, which waits for the end.
let responseJSON = session.rx.json(request: try request("Pizza"))
    .map { json in (json as? [String: Any])?["title"] as? String ?? "no title" }
print("json:", try responseJSON.toBlocking(timeout: 60).single())

// The same request, decoded into a type.
struct Page: Decodable, Sendable {
    let title: String
}
let page = session.rx.data(request: try request("Pizza")).decode(type: Page.self, decoder: JSONDecoder())
print("decode:", try page.toBlocking(timeout: 60).single())

// The same request as text, in the encoding that the response declares.
print("string:", try session.rx.string(request: try request("Pizza")).toBlocking(timeout: 60).single())

// With the response itself, whatever its status.
// `debug` writes that it was subscribed to, and each event, of which only the kind is printed here.
Hooks.debugFormat = DebugFormat { identifier, report in
    switch report {
    case .subscribed: "[\(identifier)] subscribed"
    case .event(let event): "[\(identifier)] \(event.prefix { $0 != "(" })"
    case .disposed: "[\(identifier)] disposed"
    }
}
// The session's thread disposes the chain when this thread may have gone on.
Hooks.debugOutput = { line in if !line.hasSuffix("disposed") { print(line) } }
struct WrongStatus: Error { let code: Int }
func body(of page: String) throws -> Observable<String> {
    session.rx.response(request: try request(page))
        .debug("my request")
        .flatMap { (response: HTTPURLResponse, data: Data) -> Observable<String> in
            guard 200..<300 ~= response.statusCode else { return .error(WrongStatus(code: response.statusCode)) }
            return .just(String(decoding: data, as: UTF8.self))
        }
}
for page in ["Pizza", "Pasta"] {
    let events = try body(of: page).materialize()
    for event in try events.toBlocking(timeout: 60).toArray() { print("response:", event) }
}

// An observable of one's own that performs work: disposing the subscription cancels the task.
extension Reactive where Base: URLSession {
    func bytes(of request: URLRequest) -> Observable<Int> {
        Observable.create { [base] observer in
            let task = base.dataTask(with: request) { data, _, error in
                guard let data else { return observer.on(.error(error ?? URLError(.unknown))) }
                observer.on(.next(data.count))
                observer.on(.completed)
            }
            task.resume()
            return Disposables.create { task.cancel() }
        }
    }
}
print("create:", try session.rx.bytes(of: try request("Pizza")).toBlocking(timeout: 60).single(), "bytes")

// Prints:
// json: Pizza
// decode: Page(title: "Pizza")
// string: {"title": "Pizza"}
// [my request] subscribed
// [my request] next
// [my request] completed
// response: next({"title": "Pizza"})
// response: completed
// [my request] subscribed
// [my request] next
// response: error(WrongStatus(code: 404))
// create: 18 bytes
