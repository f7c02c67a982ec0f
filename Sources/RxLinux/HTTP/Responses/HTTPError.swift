/// An error of a request: there is no response, or not an expected one.
public struct HTTPError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The request is invalid: its URL, method, a header or an option.
        case request
        /// A file with a secret could not be read.
        case credential
        /// The host name, or that of the proxy, could not be resolved.
        case resolve
        /// The connection was refused or could not be made.
        case connect
        /// The proxy refused the request or failed.
        case proxy
        /// The TLS handshake failed, other than for the server's certificate.
        case tls
        /// The server's certificate is not trusted, not valid now, or that of another server.
        case certificate
        /// A time limit was exceeded.
        case timeout
        /// The connection was closed before there was a response.
        case reset
        /// The body ended early.
        case truncated
        /// The response is not HTTP.
        case `protocol`
        /// There were too many redirects, or one that is not followed: from https to http, or with a body to another
        /// server.
        case redirects
        /// The header exceeds its limit.
        case headerLimit
        /// The body exceeds its limit.
        case bodyLimit
        /// The server responded with a status that was not expected.
        case status
        /// The process has no descriptors, threads or memory left.
        case resources
    }

    /// The kind of the error.
    public let code: Code
    /// The error in words.
    public let message: String
    /// The durations of the phases that began.
    public let timing: HTTPTiming
    /// The latest certificate of the server that this client has seen.
    public let certificate: HTTPCertificate?

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, timing: HTTPTiming = HTTPTiming(), certificate: HTTPCertificate? = nil
    ) {
        self.code = code
        self.message = message
        self.timing = timing
        self.certificate = certificate
    }

    /// The error in words.
    public var description: String { message }
}
