/// Why there is no answer to a request, or not the one that was expected.
public struct HTTPError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of thing went wrong.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The request cannot be sent: its address, method, a header or an option makes no sense.
        case request
        /// A file with a secret could not be read.
        case credential
        /// The host, or the proxy, has no address that could be found.
        case resolve
        /// Nobody answers at the address.
        case connect
        /// The proxy does not do what it is asked.
        case proxy
        /// No secured connection comes about, other than for the server's certificate.
        case tls
        /// The server's certificate is not trusted, not in its time or another server's.
        case certificate
        /// It took too long.
        case timeout
        /// The connection broke or was closed before there was an answer.
        case reset
        /// The body ended before it should.
        case truncated
        /// What came is not HTTP.
        case `protocol`
        /// There were more redirects than are followed.
        case redirects
        /// The header is longer than it may be.
        case headerLimit
        /// The body is longer than it may be.
        case bodyLimit
        /// The server has answered, with a status that was not expected.
        case status
        /// The system is out of descriptors, threads or memory.
        case resources
    }

    /// What kind of thing went wrong.
    public let code: Code
    /// What went wrong, in words.
    public let message: String
    /// How long the phases took that it came to.
    public let timing: HTTPTiming
    /// The certificate that the server has last shown this client.
    public let certificate: HTTPCertificate?

    /// An error.
    public init(
        _ code: Code, _ message: String, timing: HTTPTiming = HTTPTiming(), certificate: HTTPCertificate? = nil
    ) {
        self.code = code
        self.message = message
        self.timing = timing
        self.certificate = certificate
    }

    /// The message.
    public var description: String { message }
}
