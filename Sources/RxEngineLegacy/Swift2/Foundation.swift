import Foundation
import RxEngine
import RxEngineFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The former name of `URLSession`.
public typealias NSURLSession = URLSession
/// The former name of `URLResponse`.
public typealias NSURLResponse = URLResponse
/// The former name of `HTTPURLResponse`.
public typealias NSHTTPURLResponse = HTTPURLResponse
/// The former name of `Thread`.
public typealias NSThread = Thread
/// The former name of `TimeInterval`.
public typealias NSTimeInterval = TimeInterval

extension Thread {
    /// Blocks the current thread: the former name of `sleep(forTimeInterval:)`.
    public static func sleepForTimeInterval(_ interval: TimeInterval) { sleep(forTimeInterval: interval) }
}

extension NSURLRequest {
    /// Makes a request: the former name of `init(url:)`.
    public convenience init(URL url: NSURL) { self.init(url: url as URL) }
}

extension URLSession {
    /// Returns the shared session: the former name of the property `shared`.
    public static func sharedSession() -> URLSession { shared }

    /// Makes a task that sends a request: the former name of `dataTask(with:completionHandler:)`.
    ///
    /// `completionHandler` is called on the session's delegate queue.
    @preconcurrency
    public func dataTaskWithRequest(
        _ request: NSURLRequest, completionHandler: @escaping @Sendable (NSData?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        dataTask(with: request as URLRequest) { data, response, error in
            completionHandler(data.map { $0 as NSData }, response, error)
        }
    }
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
