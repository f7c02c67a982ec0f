import Foundation
import RxEngine
import RxEngineFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The former name of `URLSession`.
public typealias NSURLSession = URLSession

extension URLSession {
    /// Returns the shared session: the former name of the property `shared`.
    public static func sharedSession() -> URLSession { shared }

    /// Sends a request, and emits the body with the response: the former name of `rx.response`, with the elements of the
    /// tuple in the former order.
    ///
    /// Completes and fails as `rx.response` does. The observer is called on the session's delegate queue.
    public func rx_response(_ request: URLRequest) -> Observable<(Data, HTTPURLResponse)> {
        rx.response(request: request).map { ($0.data, $0.response) }
    }

    /// Sends a request, and emits the body of a successful response: the former name of `rx.data`.
    public func rx_data(_ request: URLRequest) -> Observable<Data> { rx.data(request: request) }

    /// Sends a request, and emits the value of the JSON in the body: the former name of `rx.json`.
    public func rx_JSON(_ request: URLRequest) -> Observable<Any> { rx.json(request: request) }

    /// Sends a GET request, and emits the value of the JSON in the body: the former name of `rx.json`.
    public func rx_JSON(_ url: URL) -> Observable<Any> { rx.json(url: url) }
}

/// The log of requests.
public enum Logging {
    /// Decides whether a request is logged: the former name of `URLSession.rx.shouldLogRequest`.
    @preconcurrency
    public static var URLRequests: @Sendable (URLRequest) -> Bool {
        get { URLSession.rx.shouldLogRequest }
        set { URLSession.rx.shouldLogRequest = newValue }
    }
}

extension LifetimeHost {
    /// Emits when the object is gone: the former name of `rx.deallocated`.
    public var rx_deallocated: RxEngine.Observable<Void> { rx.deallocated }

    /// Emits while the object is being deallocated: the former name of `rx.deallocating`.
    public var rx_deallocating: RxEngine.Observable<Void> { rx.deallocating }
}
