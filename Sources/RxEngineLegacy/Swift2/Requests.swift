import Foundation
import RxEngine
import RxEngineFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// `NSURLRequest` is a class of its own here, as `NSData` is: each name takes both kinds of request.
extension Reactive where Base: URLSession {
    /// Sends a request, and emits the body with the response: the former name of `response(request:)`.
    ///
    /// The elements of the tuple are in the former order.
    ///
    /// Completes and fails as `response(request:)` does. The observer is called on the session's delegate queue.
    public func response(_ request: URLRequest) -> Observable<(Data, HTTPURLResponse)> {
        response(request: request).map { ($0.data, $0.response) }
    }

    /// Sends a request, and emits the body with the response as objects, for closures with parameters of these types.
    ///
    /// Completes and fails as `response(request:)` does. The observer is called on the session's delegate queue.
    @_disfavoredOverload
    public func response(_ request: URLRequest) -> Observable<(NSData, URLResponse)> {
        response(request: request).map { ($0.data as NSData, $0.response) }
    }

    /// Sends a request, and emits the body with the response as objects: the former name of `response(request:)`.
    ///
    /// Completes and fails as `response(request:)` does. The observer is called on the session's delegate queue.
    public func response(_ request: NSURLRequest) -> Observable<(NSData, URLResponse)> {
        response(request as URLRequest)
    }

    /// Sends a request, and emits the body of a successful response: the former name of `data(request:)`.
    ///
    /// Completes and fails as `data(request:)` does. The observer is called on the session's delegate queue.
    public func data(_ request: URLRequest) -> Observable<Data> { data(request: request) }

    /// Sends a request, and emits the body of a successful response as an object: the former name of `data(request:)`.
    ///
    /// Completes and fails as `data(request:)` does. The observer is called on the session's delegate queue.
    public func data(_ request: NSURLRequest) -> Observable<NSData> {
        data(request: request as URLRequest).map { $0 as NSData }
    }

    /// Sends a request, and emits the value of the JSON in the body: the former name of `json(request:)`.
    ///
    /// Completes and fails as `json(request:)` does. The observer is called on the session's delegate queue.
    public func JSON(_ request: URLRequest) -> Observable<Any> { json(request: request) }

    /// Sends a request, and emits the value of the JSON in the body: the former name of `json(request:)`.
    ///
    /// Completes and fails as `json(request:)` does. The observer is called on the session's delegate queue.
    public func JSON(_ request: NSURLRequest) -> Observable<Any> { json(request: request as URLRequest) }

    /// Sends a GET request, and emits the value of the JSON in the body: the former name of `json(url:)`.
    ///
    /// Completes and fails as `json(request:)` does. The observer is called on the session's delegate queue.
    public func JSON(_ url: URL) -> Observable<Any> { json(url: url) }
}

extension URLSession {
    /// Sends a request, and emits the body with the response: the former name of `rx.response`.
    ///
    /// The elements of the tuple are in the former order.
    ///
    /// Completes and fails as `rx.response` does. The observer is called on the session's delegate queue.
    public func rx_response(_ request: URLRequest) -> Observable<(Data, HTTPURLResponse)> { rx.response(request) }

    /// Sends a request, and emits the body with the response as objects: the former name of `rx.response`.
    ///
    /// Completes and fails as `rx.response` does. The observer is called on the session's delegate queue.
    public func rx_response(_ request: NSURLRequest) -> Observable<(NSData, URLResponse)> { rx.response(request) }

    /// Sends a request, and emits the body of a successful response: the former name of `rx.data`.
    ///
    /// Completes and fails as `rx.data` does. The observer is called on the session's delegate queue.
    public func rx_data(_ request: URLRequest) -> Observable<Data> { rx.data(request: request) }

    /// Sends a request, and emits the body of a successful response as an object: the former name of `rx.data`.
    ///
    /// Completes and fails as `rx.data` does. The observer is called on the session's delegate queue.
    public func rx_data(_ request: NSURLRequest) -> Observable<NSData> { rx.data(request) }

    /// Sends a request, and emits the value of the JSON in the body: the former name of `rx.json`.
    ///
    /// Completes and fails as `rx.json` does. The observer is called on the session's delegate queue.
    public func rx_JSON(_ request: URLRequest) -> Observable<Any> { rx.json(request: request) }

    /// Sends a request, and emits the value of the JSON in the body: the former name of `rx.json`.
    ///
    /// Completes and fails as `rx.json` does. The observer is called on the session's delegate queue.
    public func rx_JSON(_ request: NSURLRequest) -> Observable<Any> { rx.JSON(request) }

    /// Sends a GET request, and emits the value of the JSON in the body: the former name of `rx.json`.
    ///
    /// Completes and fails as `rx.json` does. The observer is called on the session's delegate queue.
    public func rx_JSON(_ url: URL) -> Observable<Any> { rx.json(url: url) }
}

extension RxURLError {
    /// The session reported neither a response nor an error: the former name of `unknown`.
    public static var Unknown: RxURLError { .unknown }

    /// The response is not an HTTP response: the former name of `nonHTTPResponse`.
    public static func NonHTTPResponse(response: URLResponse) -> RxURLError { .nonHTTPResponse(response: response) }

    /// The status of the response is not between 200 and 299: the former name of `httpRequestFailed`.
    public static func HTTPRequestFailed(response: HTTPURLResponse, data: Data?) -> RxURLError {
        .httpRequestFailed(response: response, data: data)
    }

    /// The body cannot be read as the expected kind of value: the former name of `deserializationError`.
    public static func DeserializationError(error: any Error) -> RxURLError { .deserializationError(error: error) }
}
