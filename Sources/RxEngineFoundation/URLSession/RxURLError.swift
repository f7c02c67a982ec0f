import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Unchecked: immutable, and so are the responses in it.
/// An error of a request that the session itself does not report as one.
public enum RxURLError: Error, @unchecked Sendable {
    /// The session reported neither a response nor an error.
    case unknown
    /// The response is not an HTTP response.
    case nonHTTPResponse(response: URLResponse)
    /// The status of the response is not between 200 and 299.
    case httpRequestFailed(response: HTTPURLResponse, data: Data?)
    /// The body cannot be read as the expected kind of value.
    case deserializationError(error: any Error)
}

/// RxCocoa's name of ``RxURLError``.
public typealias RxCocoaURLError = RxURLError

extension RxURLError: CustomDebugStringConvertible {
    /// A message that says what is wrong.
    public var debugDescription: String {
        switch self {
        case .unknown: "the session reported neither a response nor an error"
        case .nonHTTPResponse(let response): "not an HTTP response: \(response)"
        case .httpRequestFailed(let response, _): "the request failed with the status \(response.statusCode)"
        case .deserializationError(let error): "the body cannot be read: \(error)"
        }
    }
}
